#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    constexpr int kRows = 8;
    using T = Tile<TileType::Vec, float, kRows, 16, BLayout::RowMajor, kRows, 2 * kRows + 1>;  //~ ERROR tile-valid-range: 16 columns, but 17
    T t;
    TASSIGN(t, 0x1000);
}
