#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, half, 1, 16, BLayout::RowMajor, -1, -1> a(1, 10), b(1, 10), dst(1, 10);
    Tile<TileType::Vec, uint8_t, 1, 32, BLayout::RowMajor, -1, -1> mask(1, 32);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);
}
