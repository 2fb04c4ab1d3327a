#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, float, 16, 16>;
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    using TmpT = Tile<TileType::Vec, uint8_t, 1, 32>;
    Event<Op::TCMPS, Op::TSEL> ready;  //~ ERROR event-same-pipe: both ends on pipe V
    TileT a;
    MaskT mask(16, 2);
    ready = TCMPS(mask, a, 0.0f, CmpMode::GT);
}
