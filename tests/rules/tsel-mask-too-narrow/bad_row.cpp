#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    constexpr int kCols = 512;
    Tile<TileType::Vec, half, 8, kCols> a, b, dst;
    Tile<TileType::Vec, uint8_t, 8, 32> mask;
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);  //~ ERROR tsel-mask-too-narrow: needs 64 bytes of mask bits, but the rows of `mask` have 32
}
