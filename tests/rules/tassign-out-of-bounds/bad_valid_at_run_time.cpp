// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows(int rows) {
    Tile<TileType::Vec, float, 32, 64, BLayout::RowMajor, -1, -1> t(rows, 64);
    TASSIGN(t, 0x2F800);  //~ WARNING tassign-out-of-bounds: `t` takes 8192 bytes at 0x2f800
    TASSIGN(t, 0x30000);  //~ ERROR tassign-out-of-bounds: `t` takes 8192 bytes at 0x30000
}
