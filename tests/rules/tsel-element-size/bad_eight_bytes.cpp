// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, int64_t, 1, 32> src, dst;
    Tile<TileType::Vec, uint8_t, 1, 32, BLayout::RowMajor, -1, -1> mask(1, 4);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSELS(dst, mask, src, tmp, 0);  //~ ERROR tsel-element-size: TSELS selects elements of 2 or 4
}
