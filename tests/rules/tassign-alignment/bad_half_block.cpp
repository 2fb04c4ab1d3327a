#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 16, 16> t;
    TASSIGN(t, 0x1010);  //~ ERROR tassign-alignment: `t` is placed at 0x1010, 16 bytes past
}
