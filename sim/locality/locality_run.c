/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "complaint.h"
#include "locality_engines.h"

int tl_locality_run(const tl_locality_config *config, tl_locality_engine engine, tl_locality_counters *out, char *error,
                    size_t error_bytes)
{
    memset(out, 0, sizeof *out);
    out->fallback = engine == TL_ENGINE_FAST ? tl_fast_refusal(config) : NULL;
    out->engine = out->fallback != NULL ? TL_ENGINE_REFERENCE : engine;
    if (!(out->engine == TL_ENGINE_FAST ? tl_fast_run : tl_reference_run)(config, out)) {
        const tl_complaint to = {"locality", error, error_bytes};
        return tl_complain(&to, "memory", "too little", "enough for the tables of the run");
    }
    tl_output_count(config, out);
    return 0;
}
