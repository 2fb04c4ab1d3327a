#include <pto/pto-inst.hpp>

using namespace pto;

template <typename T>
AICORE void select_any() {
    Tile<TileType::Vec, T, 16, 16> src0, src1, dst;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, src0, src1, tmp);
}
//~ NOT-ANALYSED
