// a2lint: device a2
// Integer compares: EQ is carried out on A2, LT is not.
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void padding_mask() {
    Tile<TileType::Vec, int32_t, 8, 64> ids, pad;
    Tile<TileType::Vec, uint8_t, 8, 32, BLayout::RowMajor, -1, -1> mask(8, 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TCMP(mask, ids, pad, CmpMode::EQ);
    TSEL(ids, mask, pad, ids, tmp);
    TCMP(mask, ids, pad, CmpMode::LT);  //~ ERROR tcmp-int-mode
    TSEL(ids, mask, pad, ids, tmp);
}
