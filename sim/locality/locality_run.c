/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "complaint.h"
#include "locality_engines.h"
#include "locality_work.h"

/* @return false: too little memory */
static bool run_reference(const tl_locality_config *config, const char *fallback, const tl_progress *progress,
                          tl_locality_counters *out)
{
    memset(out, 0, sizeof *out);
    out->engine = TL_ENGINE_REFERENCE;
    out->fallback = fallback;
    return tl_reference_run(config, progress, out);
}

static bool run_fast(const tl_locality_config *config, const tl_progress *progress, tl_locality_counters *out)
{
    const char *refusal = tl_fast_refusal(config);
    if (refusal != NULL) {
        return run_reference(config, refusal, progress, out);
    }
    memset(out, 0, sizeof *out);
    out->engine = TL_ENGINE_FAST;
    const tl_fast_outcome outcome = tl_fast_run(config, progress, out);
    return outcome == TL_FAST_IS_SLOWER ? run_reference(config, TL_FAST_SLOWER, progress, out)
                                        : outcome == TL_FAST_DONE;
}

int tl_locality_run(const tl_locality_config *config, tl_locality_engine engine, const tl_progress *progress,
                    tl_locality_counters *out, char *error, size_t error_bytes)
{
    const bool ready =
        engine == TL_ENGINE_FAST ? run_fast(config, progress, out) : run_reference(config, NULL, progress, out);
    if (!ready) {
        const tl_complaint to = {"locality", error, error_bytes};
        return tl_complain(&to, "memory", "too little", "enough for the tables of the run");
    }
    tl_output_count(config, out);
    return 0;
}
