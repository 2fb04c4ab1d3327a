#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows(bool whole) {
    using TileT = Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, -1, -1>;
    TileT a(16, 40), b(16, 64), dst(16, 64);
    if (whole) {
        a.SetValidCol(64);
    } else {
        dst.SetValidCol(40);
        b.SetValidCol(40);
    }
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);
}
