#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows(int n) {
    Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, -1, -1> a(16, n), b(16, n), dst(16, n);
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, (n + 7) / 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);
}
