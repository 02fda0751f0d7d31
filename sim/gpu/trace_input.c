/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_input.h"

#include <string.h>

enum { GZIP_ONLY = 16 }; /* added to the window bits of inflateInit2 */

static bool read_raw(tl_trace_input *input)
{
    input->stream.next_in = input->raw;
    input->stream.avail_in = (uInt)fread(input->raw, 1, sizeof input->raw, input->file);
    return ferror(input->file) == 0;
}

bool tl_trace_input_open(tl_trace_input *input, const char *path)
{
    memset(input, 0, sizeof *input);
    input->file = fopen(path, "rb");
    if (input->file == NULL)
        return false;
    (void)read_raw(input); /* of a fault the first line tells */
    input->compressed = input->stream.avail_in >= 2 && input->raw[0] == 0x1f && input->raw[1] == 0x8b;
    return !input->compressed || inflateInit2(&input->stream, MAX_WBITS + GZIP_ONLY) == Z_OK;
}

void tl_trace_input_close(tl_trace_input *input)
{
    if (input->compressed)
        inflateEnd(&input->stream);
    if (input->file != NULL)
        fclose(input->file);
    memset(input, 0, sizeof *input);
}

static tl_trace_input_result fill_from_gzip(tl_trace_input *input)
{
    z_stream *stream = &input->stream;
    while (input->count == 0) {
        if (stream->avail_in == 0 && !read_raw(input))
            return TL_TRACE_INPUT_DAMAGED;
        if (stream->avail_in == 0)
            return input->in_member ? TL_TRACE_INPUT_DAMAGED : TL_TRACE_INPUT_END;
        if (!input->in_member)
            inflateReset(stream);
        stream->next_out = input->plain;
        stream->avail_out = sizeof input->plain;
        const int code = inflate(stream, Z_NO_FLUSH);
        if (code != Z_OK && code != Z_STREAM_END)
            return TL_TRACE_INPUT_DAMAGED;
        input->in_member = code == Z_OK;
        input->count = sizeof input->plain - stream->avail_out;
    }
    return TL_TRACE_INPUT_LINE;
}

/* More bytes in `plain`. */
static tl_trace_input_result fill(tl_trace_input *input)
{
    input->at = input->count = 0;
    if (input->compressed)
        return fill_from_gzip(input);
    if (input->stream.avail_in == 0 && !read_raw(input))
        return TL_TRACE_INPUT_DAMAGED;
    if (ferror(input->file) != 0)
        return TL_TRACE_INPUT_DAMAGED;
    memcpy(input->plain, input->raw, input->stream.avail_in);
    input->count = input->stream.avail_in;
    input->stream.avail_in = 0;
    return input->count == 0 ? TL_TRACE_INPUT_END : TL_TRACE_INPUT_LINE;
}

tl_trace_input_result tl_trace_input_line(tl_trace_input *input, char *text, size_t text_bytes)
{
    size_t length = 0;
    const unsigned char *newline = NULL;
    while (newline == NULL) {
        if (input->at == input->count) {
            const tl_trace_input_result result = fill(input);
            if (result == TL_TRACE_INPUT_END && length != 0)
                break; /* the last line may lack its end */
            if (result != TL_TRACE_INPUT_LINE)
                return result;
        }
        const unsigned char *from = input->plain + input->at;
        const size_t ahead = input->count - input->at;
        newline = memchr(from, '\n', ahead);
        const size_t part = newline == NULL ? ahead : (size_t)(newline - from);
        if (part >= text_bytes - length || memchr(from, '\0', part) != NULL)
            return TL_TRACE_INPUT_NO_LINE;
        memcpy(text + length, from, part);
        length += part;
        input->at += part + (newline != NULL);
    }
    if (length != 0 && text[length - 1] == '\r')
        length--;
    text[length] = '\0';
    return TL_TRACE_INPUT_LINE;
}
