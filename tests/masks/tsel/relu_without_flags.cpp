// Both flags forgotten, and an event where a barrier is meant.
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void relu(GlobalT &source, GlobalT &target) {
    using TileT = Tile<TileType::Vec, float, 1, 64>;
    TileT x, zero, y;
    Tile<TileType::Vec, uint8_t, 1, 32, BLayout::RowMajor, -1, -1> mask(1, 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    Event<Op::TCMPS, Op::TSEL> compared;  //~ ERROR event-same-pipe
    TASSIGN(x, 0x0);
    TASSIGN(zero, 0x100);
    TASSIGN(y, 0x200);
    TASSIGN(mask, 0x300);
    TASSIGN(tmp, 0x320);
    TLOAD(x, source);
    TCMPS(mask, x, 0.0f, CmpMode::GT);  //~ ERROR tsel-sync-missing: TCMPS on V takes `x`
    pipe_barrier(PIPE_V);
    TSEL(y, mask, x, zero, tmp);  //~ ERROR tsel-sync-missing: TSEL on V takes `x`
    TSTORE(target, y);  //~ ERROR tsel-sync-missing: TSTORE on MTE3 takes `y`
}
