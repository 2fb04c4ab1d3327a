// Valid regions of the last tile: set at run time, checked where they are constant.
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void tail(int rows, int cols) {
    using TileT = Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, -1, -1>;
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    TileT a(rows, cols), b(rows, cols), dst(rows, cols);
    MaskT mask(rows, (cols + 7) / 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);
    dst.SetValidCol(64);
    mask.SetValidCol(4);
    TSEL(dst, mask, a, b, tmp);  //~ WARNING tsel-mask-too-narrow: needs 8 bytes
}
