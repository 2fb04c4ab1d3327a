#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, int16_t, 16, 128> a;
    Tile<TileType::Vec, uint8_t, 16, 32> mask;
    TCMPS(mask, a, 5, CmpMode::GE);  //~ WARNING tcmp-int-mode: TCMPS on int16_t compares the bits as half
}
