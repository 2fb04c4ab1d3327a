#include <pto/pto-inst.hpp>

using namespace pto;

template <typename M>
AICORE void select_any() {
    Tile<TileType::Vec, float, 16, 16> a, b, dst;
    Tile<TileType::Vec, M, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);
}
//~ NOT-ANALYSED
