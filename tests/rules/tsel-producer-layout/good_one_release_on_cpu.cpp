// a2lint: device b3, cpu
#include <pto/pto-inst.hpp>

using namespace pto;

// Bits of source rows are placed in two ways, by release; in the later one they are where the select looks.
AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, float, 16, 16>;
    TileT a, b, dst;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;

    TCMPS(mask, a, 20.0f, CmpMode::LT);
    TSEL(dst, mask, a, b, tmp);
}
