#ifndef PICK_LINES_TILING_H
#define PICK_LINES_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(LineTiling)
  TILING_DATA_FIELD_DEF(uint32_t, share);
  TILING_DATA_FIELD_DEF(uint32_t, line);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(LineTilingOp, LineTiling)

BEGIN_TILING_DATA_DEF(PickLinesTilingData)
  TILING_DATA_FIELD_DEF(bool, marks);
  TILING_DATA_FIELD_DEF_STRUCT(LineTiling, lines);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PickLines, PickLinesTilingData)
} // namespace optiling
#endif
