#include <pto/pto-inst.hpp>

using namespace pto;

// Of no columns no row is walked.
AICORE void select_rows() {
    Tile<TileType::Vec, float, 1, 16, BLayout::RowMajor, -1, -1> t(8, 0);
    TASSIGN(t, 0x1000);
}
