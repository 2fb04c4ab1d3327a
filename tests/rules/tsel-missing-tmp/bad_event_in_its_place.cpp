#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows(GlobalT &gm) {
    using TileT = Tile<TileType::Vec, float, 16, 16>;
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    using TmpT = Tile<TileType::Vec, uint8_t, 1, 32>;
    TileT src0, src1, dst;
    MaskT mask(16, 2);
    Event<Op::TLOAD, Op::TSEL> loaded;
    loaded = TLOAD(src0, gm);
    TSEL(dst, mask, src0, src1, loaded);  //~ WARNING tsel-missing-tmp
}
