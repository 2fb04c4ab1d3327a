#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    constexpr int kMaskBytes = 16 * 2;
    Tile<TileType::Vec, uint8_t, 16, 32> mask;
    TASSIGN<0x1000 + kMaskBytes + 3>(mask);  //~ ERROR tassign-alignment: 0x1023, 3 bytes
}
