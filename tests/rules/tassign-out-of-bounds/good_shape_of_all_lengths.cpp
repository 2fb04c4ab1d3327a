// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

// No memory holds 256 rows of 16,384 columns: a few long rows are valid, or many short ones.
AICORE void select_rows(int rows, int columns) {
    Tile<TileType::Vec, half, 256, 16384, BLayout::RowMajor, -1, -1> t(rows, columns);
    TASSIGN(t, 0x10000);
}
