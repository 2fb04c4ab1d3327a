#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 16, 16> t;
    TASSIGN(t, 0x1020);
}
