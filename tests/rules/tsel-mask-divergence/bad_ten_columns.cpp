#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, half, 4, 16, BLayout::RowMajor, -1, -1> a(4, 10), b(4, 10), dst(4, 10);
    Tile<TileType::Vec, uint8_t, 4, 32, BLayout::RowMajor, -1, -1> mask(4, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);  //~ WARNING tsel-mask-divergence: the first to differ is (1, 0)
}
