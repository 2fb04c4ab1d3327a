#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, float, 16, 16>;
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    using TmpT = Tile<TileType::Vec, uint8_t, 1, 32>;
    TileT a, b;
    MaskT mask(16, 2);
    TmpT tmp;
    TCMPS(mask, a, 0.0f, CmpMode::GT);
    TSYNC<Op::TSEL>();
    TSEL(a, mask, a, b, tmp);
}
