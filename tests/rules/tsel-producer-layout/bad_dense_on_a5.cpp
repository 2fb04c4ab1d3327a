// a2lint: device a5
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, float, 16, 64>;
    TileT a, b, dst;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;

    TCMP(mask, a, b, CmpMode::LT);
    TSEL(dst, mask, a, b, tmp);  //~ WARNING tsel-producer-layout: from element (1, 0) on
}
