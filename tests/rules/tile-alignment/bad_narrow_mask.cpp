#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 16>;  //~ ERROR tile-alignment: a row of 16 uint8_t has 16 bytes
    MaskT mask;
    TASSIGN(mask, 0x1000);
}
