#ifndef CLIP_ROWS_TILING_H
#define CLIP_ROWS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ClipRowsTilingData)
  TILING_DATA_FIELD_DEF(uint32_t, share);
  TILING_DATA_FIELD_DEF(uint32_t, tile);
  TILING_DATA_FIELD_DEF(float, bound);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(ClipRows, ClipRowsTilingData)
} // namespace optiling
#endif
