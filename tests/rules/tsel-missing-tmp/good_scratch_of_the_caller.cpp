#include <pto/pto-inst.hpp>

using namespace pto;

template <typename TileT, typename MaskT, typename TmpT>
AICORE void select_into(TileT &dst, MaskT &mask, TileT &a, TileT &b, TmpT &tmp) {
    TSEL(dst, mask, a, b, tmp);
}
//~ NOT-ANALYSED
