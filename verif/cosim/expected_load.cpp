// SPDX-License-Identifier: Apache-2.0
#include "expected_load.h"

namespace cosim
{

void ExpectedLoad::start(const Stimulus &from, tl_variant variant, uint64_t cycle)
{
    stimulus = from;
    status = tl_engine_start(&engine, &from.map, &from.load, variant);
    presented_cycle = cycle;
    runs = requests = 0;
    failed = false;
    refusal_given_ = false;
    log.clear();
}

tl_status ExpectedLoad::split_status() const
{
    return status == TL_ERR_PAPER_ROW_ALIGN || status == TL_ERR_PAPER_COLUMN_ALIGN ? status : TL_OK;
}

tl_status ExpectedLoad::decode_status() const
{
    return split_status() == TL_OK ? status : TL_OK;
}

bool is_column_product(ProductStep step)
{
    return step == ProductStep::column || step == ProductStep::column_advance || step == ProductStep::column_rewind;
}

uint64_t ExpectedLoad::product(ProductStep step, uint32_t dim) const
{
    const tl_levels &levels = engine.levels;
    switch (step) {
    case ProductStep::column:
        return engine.products.column[dim] & 0xFFF;
    case ProductStep::linear:
        return engine.products.linear[dim];
    case ProductStep::column_product:
        return engine.base.column_product;
    case ProductStep::column_advance:
        return levels.column_advance[dim] & 0xFFF;
    case ProductStep::column_rewind:
        return levels.column_rewind[dim] & 0xFFF;
    case ProductStep::advance:
        return levels.advance[dim];
    case ProductStep::rewind:
        return levels.rewind[dim];
    case ProductStep::tile_advance: // delta_tile without what the dimensions below have walked
        return tl_wrap_units(levels.delta_tile - (levels.delta[dim] - levels.advance[dim]));
    }
    return 0;
}

bool ExpectedLoad::has_run() const
{
    return status == TL_OK ? !engine.counters.done : !refusal_given_;
}

void ExpectedLoad::next_run(ExpectedRun &out)
{
    out = {};
    if (status != TL_OK) {
        refusal_given_ = true;
        out.run.fill = out.run.last = true;
        out.request.fill = out.request.last = true;
        out.request.status = static_cast<uint32_t>(status);
        return;
    }
    tl_request request;
    tl_counters_step(&engine.counters, &engine.fields, &engine.levels, &out.run);
    out.permuted_source = tl_permute(&engine.fields, &out.run);
    tl_req_gen(&engine.fields, &out.run, out.permuted_source, &request);
    out.request = {request.src_address,
                   request.dst_address,
                   request.swizzle_xor,
                   request.bytes,
                   request.fill,
                   request.last,
                   TL_OK};
}

} // namespace cosim
