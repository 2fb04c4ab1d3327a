// a2lint: device a5
// On A5 the compare packs densely: right for full rows of the mask, wrong for narrower ones.
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void full_rows() {
    Tile<TileType::Vec, float, 4, 256> a, b, dst;
    Tile<TileType::Vec, uint8_t, 4, 32> mask;
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TCMP(mask, a, b, CmpMode::LT);
    TSEL(dst, mask, a, b, tmp);
}

AICORE void narrow_rows() {
    Tile<TileType::Vec, float, 4, 64> a, b, dst;
    Tile<TileType::Vec, uint8_t, 4, 32, BLayout::RowMajor, -1, -1> mask(4, 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TCMP(mask, a, b, CmpMode::LT);
    TSEL(dst, mask, a, b, tmp);  //~ WARNING tsel-producer-layout
}
