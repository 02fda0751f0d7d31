# SPDX-License-Identifier: Apache-2.0
# cmake -DTILELENS=FILE -DCASES=DIR -DOUT=DIR -P demo.cmake
# The three numbers of the project on one page: does the RTL agree with the golden model, what does it cover, and what
# does it cost. Prints the command lines it runs, so that each can be repeated alone.
cmake_minimum_required(VERSION 3.25)

set(random_loads 450000) # a million requests even in the baseline, which refuses every tile-major load
set(variants baseline paper general)

# run(ARGUMENT...): runs tilelens with the arguments, shows both, and ends on failure.
function(run)
    execute_process(COMMAND ${TILELENS} ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE status)
    if(status)
        message(FATAL_ERROR "tilelens ${ARGV0}: exit status ${status}")
    endif()
endfunction()

# pad(VARIABLE TEXT WIDTH): TEXT, right-aligned.
function(pad variable text width)
    string(LENGTH "${text}" length)
    math(EXPR missing "${width} - ${length}")
    if(missing GREATER 0)
        string(REPEAT " " ${missing} blanks)
    endif()
    set(${variable} "${blanks}${text}" PARENT_SCOPE)
endfunction()

# row(TEXT...): one line of the table.
function(row)
    set(line "")
    set(widths 8 16 10 16 10 8 8)
    foreach(text width IN ZIP_LISTS ARGN widths)
        pad(cell "${text}" ${width})
        string(APPEND line " ${cell} |")
    endforeach()
    message(NOTICE "|${line}")
endfunction()

file(MAKE_DIRECTORY ${OUT})
file(GLOB cases ${CASES}/*.yaml)
list(LENGTH cases case_count)
run(check ${cases} --random ${random_loads} --json ${OUT}/check.json)
run(gates --json ${OUT}/gates.json)
file(READ ${OUT}/check.json check)
file(READ ${OUT}/gates.json gates)

row(variant "classes covered" "case files" "requests checked" mismatches GE "added GE")
row(-------- ---------------- ---------- ---------------- ---------- -------- --------)
foreach(variant ${variants})
    string(JSON requests GET ${check} ${variant} requests)
    string(JSON mismatches GET ${check} ${variant} mismatches)
    string(JSON classes GET ${check} ${variant} classes)
    string(JSON ge GET ${gates} ${variant}_ge)
    set(added 0)
    if(NOT variant STREQUAL "baseline")
        string(JSON added GET ${gates} ${variant}_added_ge)
    endif()
    row(${variant} ${classes} ${case_count} ${requests} ${mismatches} ${ge} ${added})
endforeach()
