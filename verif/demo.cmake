# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=DIR -DBUILD=DIR -P demo.cmake
# On one page: does the RTL agree with the golden model, on what, and what does it cost. Prints the command lines it
# runs, so that each can be repeated alone.
cmake_minimum_required(VERSION 3.25)

set(random_loads 500000) # over a million requests even from the baseline, which refuses every tile-major load
set(variants baseline paper general)

# say(TEXT): message() writes to stderr or adds to the text.
function(say text)
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${text}")
endfunction()

# run(LINE): runs a shell command line in the source tree, shows it, and ends on failure.
function(run line)
    say("$ ${line}")
    execute_process(COMMAND sh -c "${line}" WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE status)
    if(status)
        message(FATAL_ERROR "exit status ${status}")
    endif()
    say("")
endfunction()

# whole(VARIABLE NUMBER): rounded to an integer.
function(whole variable number)
    string(REGEX MATCH "^-?[0-9]+" integer ${number})
    if(number MATCHES "^[0-9]+\\.[5-9]")
        math(EXPR integer "${integer} + 1")
    endif()
    set(${variable} ${integer} PARENT_SCOPE)
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
    say("|${line}")
endfunction()

file(MAKE_DIRECTORY ${BUILD}/demo)
cmake_path(RELATIVE_PATH BUILD BASE_DIRECTORY ${SOURCE} OUTPUT_VARIABLE build)
run("${build}/bin/tilelens check configs/cases/*.yaml --random ${random_loads} --json ${build}/demo/check.json")
run("${build}/bin/tilelens gates --json ${build}/demo/gates.json")
file(GLOB cases ${SOURCE}/configs/cases/*.yaml)
list(LENGTH cases case_count)
file(READ ${BUILD}/demo/check.json check)
file(READ ${BUILD}/demo/gates.json gates)

row(variant "classes covered" "case files" "requests checked" mismatches GE "added GE")
row(-------: ---------------: ---------: ---------------: ---------: -------: -------:)
foreach(variant ${variants})
    string(JSON requests GET ${check} ${variant} requests)
    string(JSON mismatches GET ${check} ${variant} mismatches)
    string(JSON classes GET ${check} ${variant} classes)
    string(JSON ge GET ${gates} ${variant}_ge)
    whole(ge ${ge})
    set(added 0)
    if(NOT variant STREQUAL "baseline")
        string(JSON added GET ${gates} ${variant}_added_ge)
        whole(added ${added})
    endif()
    row(${variant} ${classes} ${case_count} ${requests} ${mismatches} ${ge} ${added})
endforeach()
