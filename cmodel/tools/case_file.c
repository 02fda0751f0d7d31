/* SPDX-License-Identifier: Apache-2.0 */
#include "case_file.h"

#include "case_values.h"
#include "case_yaml.h"
#include "complaint.h"
#include "text_file.h"

int tl_case_parse(const char *name, const uint8_t *text, size_t text_bytes, tl_case *out, char *error,
                  size_t error_bytes)
{
    const tl_complaint to = {name, error, error_bytes};
    tl_case_text *words = NULL;
    int status = tl_case_yaml_load(text, text_bytes, &words, &to);
    if (status != 0) {
        return status;
    }
    tl_case parsed;
    status = tl_case_values(words, &parsed, &to);
    tl_case_yaml_free(words);
    if (status == 0) {
        *out = parsed;
    }
    return status;
}

int tl_case_load(const char *path, tl_case *out, char *error, size_t error_bytes)
{
    uint8_t text[TL_CASE_FILE_BYTES];
    const tl_complaint to = {path, error, error_bytes};
    size_t used = 0;
    const int status = tl_text_file_read(path, "case", text, sizeof text, &used, &to);
    return status != 0 ? status : tl_case_parse(path, text, used, out, error, error_bytes);
}

int tl_case_encode(const char *name, const tl_case *in, tl_tensor_map *map, char *error, size_t error_bytes)
{
    int dim = -1;
    const tl_status status = tl_tensor_map_encode_dim(map, &in->params, &dim);
    return status == TL_OK ? 0 : tl_case_refusal(name, in, status, dim, error, error_bytes);
}

int tl_case_launch(const char *name, const tl_case *in, tl_tensor_map *map, char *error, size_t error_bytes)
{
    if (tl_case_encode(name, in, map, error, error_bytes) != 0) {
        return 2;
    }
    const tl_status status = tl_launch_check(map, &in->load);
    return status == TL_OK ? 0 : tl_case_refusal(name, in, status, -1, error, error_bytes);
}

int tl_case_start(const char *name, const tl_case *in, tl_variant variant, tl_engine *engine, char *error,
                  size_t error_bytes)
{
    tl_tensor_map map;
    if (tl_case_launch(name, in, &map, error, error_bytes) != 0) {
        return 2;
    }
    const tl_status status = tl_engine_start(engine, &map, &in->load, variant);
    return status == TL_OK ? 0 : tl_case_refusal(name, in, status, -1, error, error_bytes);
}
