#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows(uint64_t base) {
    Tile<TileType::Vec, float, 16, 16> t;
    TASSIGN(t, base + 8);
}
