#ifndef HALVE_ROWS_TILING_H
#define HALVE_ROWS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(HalveRowsTilingData)
  TILING_DATA_FIELD_DEF(uint32_t, share);
  TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(HalveRows, HalveRowsTilingData)
} // namespace optiling
#endif
