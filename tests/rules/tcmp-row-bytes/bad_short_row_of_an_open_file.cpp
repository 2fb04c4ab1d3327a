#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 4, 16> a;
    using MaskT = Tile<TileType::Vec, uint8_t, 4, 4>;  //~ ERROR tile-alignment
    MaskT mask;
    TCMPS(mask, a, 0.5f, CmpMode::GT);  //~ WARNING tcmp-row-bytes: writes 8 bytes for a row of 16 float
}
