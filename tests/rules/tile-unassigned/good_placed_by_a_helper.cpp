#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows(int n) {
    using TileT = Tile<TileType::Vec, float, 16, 16>;
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    using TmpT = Tile<TileType::Vec, uint8_t, 1, 32>;
    TileT a, b;
    MaskT mask(16, 2);
    TmpT tmp;
    TASSIGN(a, 0x1000);
    place_behind(a, b);
    if (n > 0) {
        TASSIGN(mask, 0x4000);
        TASSIGN(tmp, 0x5000);
    }
    TSEL(a, mask, a, b, tmp);
}
