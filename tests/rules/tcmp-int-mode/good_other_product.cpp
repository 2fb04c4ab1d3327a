// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void compare_rows() {
    Tile<TileType::Vec, int32_t, 16, 64> a, b;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 8);
#if defined(__DAV_V220) && __NPU_ARCH__ == 2201
    TCMP(mask, a, b, CmpMode::EQ);
#else
    TCMP(mask, a, b, CmpMode::LT);
#endif
}
