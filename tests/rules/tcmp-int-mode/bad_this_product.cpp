// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void compare_rows() {
    Tile<TileType::Vec, int32_t, 16, 64> a, b;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 8);
#if __NPU_ARCH__ == 3510
    TCMP(mask, a, b, CmpMode::EQ);
#else
    TCMP(mask, a, b, CmpMode::LT);  //~ ERROR tcmp-int-mode: TCMP on int32_t tests for equality
#endif
}
