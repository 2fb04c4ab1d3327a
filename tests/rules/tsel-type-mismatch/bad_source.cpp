#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, int32_t, 16, 16> a;
    Tile<TileType::Vec, float, 16, 16> b, dst;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);  //~ ERROR tsel-type-mismatch: `dst` is float and `a` is int32_t
}
