#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 1, 64> a, b, dst;
    Tile<TileType::Vec, uint8_t, 1, 32, BLayout::RowMajor, -1, -1> mask(1, 4);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);  //~ WARNING tsel-mask-too-narrow: 64 elements needs 8 bytes of mask bits, but the valid rows of `mask` have 4
}
