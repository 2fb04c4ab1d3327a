#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, float, 16, 16, BLayout::ColMajor>;
    Tile<TileType::Vec, float, 16, 16> a, b;
    TileT dst;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, a, b, tmp);  //~ ERROR tsel-layout: `dst` is column-major
}
