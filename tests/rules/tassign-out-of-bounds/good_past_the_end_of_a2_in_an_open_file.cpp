#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 32, 64> t;
    TASSIGN(t, 0x2F800);
}
