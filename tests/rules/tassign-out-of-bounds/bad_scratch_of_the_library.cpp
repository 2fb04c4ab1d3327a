// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 16, 64> t;
    constexpr uint64_t kBase = 184 * 1024;
    TASSIGN(t, kBase);  //~ WARNING tassign-out-of-bounds: the tile library uses UB from 0x2e000 on
}
