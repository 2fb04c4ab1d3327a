#ifndef SHIFT_ROWS_TILING_H
#define SHIFT_ROWS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ShiftRowsTilingData)
  TILING_DATA_FIELD_DEF(uint32_t, share);
  TILING_DATA_FIELD_DEF(uint32_t, tile);
  TILING_DATA_FIELD_DEF(int32_t, by);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(ShiftRows, ShiftRowsTilingData)
} // namespace optiling
#endif
