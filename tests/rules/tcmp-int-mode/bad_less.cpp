// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, int32_t, 16, 64> a, b;
    Tile<TileType::Vec, uint8_t, 16, 32> mask;
    TCMP(mask, a, b, CmpMode::LT);  //~ ERROR tcmp-int-mode: TCMP on int32_t tests for equality on A2/A3 whatever the mode, so LT
}
