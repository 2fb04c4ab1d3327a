#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, half, 16, 16> a;
    Tile<TileType::Vec, float, 16, 16> dst;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSELS(dst, mask, a, tmp, 0.0f);  //~ ERROR tsel-type-mismatch: TSELS takes one element type
}
