// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 16, 320> a, b;
    Tile<TileType::Vec, uint8_t, 16, 32> mask;
    TCMP(mask, a, b, CmpMode::LT);  //~ ERROR tcmp-row-bytes: TCMP writes 40 bytes for a row of 320 float
}
