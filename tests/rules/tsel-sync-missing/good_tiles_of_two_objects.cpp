#include <pto/pto-inst.hpp>

using namespace pto;

struct Rows {
    Tile<TileType::Vec, float, 16, 16> values;
};

AICORE void select_rows(GlobalT &gm) {
    Tile<TileType::Vec, float, 16, 16> dst;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    Rows next, now;
    TASSIGN(next.values, 0x1000);
    TASSIGN(now.values, 0x2000);
    TASSIGN(dst, 0x3000);
    TASSIGN(mask, 0x4000);
    TASSIGN(tmp, 0x5000);
    set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
    TLOAD(next.values, gm);
    TSEL(dst, mask, now.values, now.values, tmp);
}
