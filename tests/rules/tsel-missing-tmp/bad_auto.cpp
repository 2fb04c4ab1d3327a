#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void example_auto() {
    using TileT = Tile<TileType::Vec, float, 16, 16>;
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    using TmpT = Tile<TileType::Vec, uint8_t, 1, 32>;
    TileT src0, src1, dst;
    MaskT mask(16, 2);
    TSEL(dst, mask, src0, src1);  //~ WARNING tsel-missing-tmp: TSEL(dst, mask, src0, src1, tmp)
}
