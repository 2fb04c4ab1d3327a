#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 16, 16> a, b, dst;
    Tile<TileType::Vec, uint32_t, 16, 8> mask;
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);  //~ WARNING tsel-mask-dtype: `mask` is a mask of uint32_t
}
