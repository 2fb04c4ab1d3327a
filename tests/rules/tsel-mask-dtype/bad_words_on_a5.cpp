// a2lint: device a5
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 16, 16> a, b, dst;
    Tile<TileType::Vec, uint16_t, 16, 16> mask;
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);  //~ ERROR tsel-mask-dtype: steps its rows by 16 bytes instead of 32
}
