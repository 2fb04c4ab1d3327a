#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using Real = float;
    Tile<TileType::Vec, Real, 16, 16> a, b;
    Tile<TileType::Vec, float, 16, 16> dst;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);
}
