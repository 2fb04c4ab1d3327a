#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, float, 16, 16>;
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    using TmpT = Tile<TileType::Vec, uint8_t, 1, 32>;
    TileT a, b;
    TASSIGN(a, 0x1000);
    TADDS(b, a, 1.0f);  //~ ERROR tile-unassigned: `b` is used by TADDS before
    TASSIGN(b, 0x2000);
}
