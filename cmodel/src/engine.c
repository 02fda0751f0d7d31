/* SPDX-License-Identifier: Apache-2.0 */
/* The seven stages joined. Mirrors rtl/tma_top.sv. */
#include "tilelens/load.h"

tl_status tl_engine_start(tl_engine *engine, const tl_tensor_map *map, const tl_load *load, tl_variant variant)
{
    engine->counters.done = true;
    tl_status status =
        tl_desc_decode(map, load->coordinates[0], load->shared_address, variant, &engine->fields);
    if (status != TL_OK) {
        return status;
    }
    tl_coord_mul(&engine->fields, load->coordinates, &engine->products);
    status = tl_split_sum(&engine->fields, &engine->products, &engine->base);
    tl_dim_convert(&engine->fields, &engine->levels);
    if (status != TL_OK) {
        return status;
    }
    tl_counters_start(&engine->counters, &engine->fields, load->coordinates, load->shared_address, &engine->base);
    return TL_OK;
}

bool tl_engine_next(tl_engine *engine, tl_request *request)
{
    if (engine->counters.done) {
        return false;
    }
    tl_run run;
    tl_counters_step(&engine->counters, &engine->fields, &engine->levels, &run);
    tl_req_gen(&engine->fields, &run, tl_permute(&engine->fields, &run), request);
    return true;
}
