// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 32, 64> t;
    TASSIGN(t, 0x2F800);  //~ ERROR tassign-out-of-bounds: `t` takes 8192 bytes at 0x2f800, and UB of A2/A3 ends at 0x30000
}
