/* SPDX-License-Identifier: Apache-2.0 */
#include "case_yaml.h"

#include "tilelens/tensor_map.h"
#include "yaml_text.h"

static const tl_yaml_kind case_kind = {&tl_case_schema, "case", "tensor and load", TL_MAX_RANK};

int tl_case_yaml_load(const uint8_t *text, size_t text_bytes, tl_case_text **out, const tl_complaint *to)
{
    void *data = NULL;
    const int status = tl_yaml_load(&case_kind, text, text_bytes, &data, to);
    if (status == 0) {
        *out = data;
    }
    return status;
}

void tl_case_yaml_free(tl_case_text *text)
{
    tl_yaml_free(&case_kind, text);
}
