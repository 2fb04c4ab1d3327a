#include <pto/pto-inst.hpp>

using namespace pto;

static Tile<TileType::Vec, float, 16, 16> kept;

AICORE void place() {
    TASSIGN(kept, 0x1000);
}

AICORE void scale_rows() {
    Tile<TileType::Vec, float, 16, 16> scaled;
    static Tile<TileType::Vec, float, 16, 16> last;
    TASSIGN(scaled, 0x2000);
    TMULS(scaled, kept, 2.0f);
    TADD(last, scaled, kept);
}
