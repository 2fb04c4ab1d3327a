// Events instead of flags.
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_with_events(GlobalT &g0, GlobalT &g1, GlobalM &gm, GlobalT &out) {
    using TileT = Tile<TileType::Vec, half, 4, 128>;
    TileT a, b, dst;
    Tile<TileType::Vec, uint8_t, 4, 32, BLayout::RowMajor, -1, -1> mask(4, 16);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    constexpr uint64_t step = 4 * 128 * sizeof(half);
    TASSIGN(a, 0x0);
    TASSIGN(b, step);
    TASSIGN(dst, 2 * step);
    TASSIGN(mask, 3 * step);
    TASSIGN(tmp, 3 * step + 128);
    Event<Op::TLOAD, Op::TSEL> loaded;
    Event<Op::TSEL, Op::TSTORE_VEC> selected;
    TLOAD(a, g0);
    TLOAD(b, g1);
    loaded = TLOAD(mask, gm);
    selected = TSEL(dst, mask, a, b, tmp, loaded);
    TSTORE(out, dst, selected);
}
