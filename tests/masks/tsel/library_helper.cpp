// Tiles of the caller, template extents, addresses computed elsewhere: nothing to say.
#include <pto/pto-inst.hpp>

namespace ops {

inline void SyncV() { pipe_barrier(PIPE_V); }

template <typename T, unsigned count>
TILEOP void Where(uint64_t dst, uint64_t bits, uint64_t src0, uint64_t src1, uint64_t scratch, const unsigned n) {
    using BitTile = pto::Tile<pto::TileType::Vec, uint8_t, 1, count / 8, pto::BLayout::RowMajor, -1, -1>;
    using DataTile = pto::Tile<pto::TileType::Vec, T, 1, count, pto::BLayout::RowMajor, -1, -1>;
    BitTile mask(1, n / 8);
    DataTile to(1, n), a(1, n), b(1, n);
    pto::Tile<pto::TileType::Vec, uint8_t, 1, 32> tmp;
    pto::TASSIGN(mask, (uint64_t)(bits));
    pto::TASSIGN(to, (uint64_t)dst);
    pto::TASSIGN(a, (uint64_t)src0);
    pto::TASSIGN(b, (uint64_t)src1);
    pto::TASSIGN(tmp, scratch);
#ifdef __DAV_V220
    pipe_barrier(PIPE_V);
#endif
    pto::TSEL(to, mask, a, b, tmp);
}

template <typename TileT, typename BitT, typename TmpT>
TILEOP void Clamp(TileT dst, TileT low, TileT high, BitT bits, TmpT tmp) {
    pto::TCMP(bits, dst, low, pto::CmpMode::LT);
    SyncV();
    pto::TSEL(dst, bits, low, dst, tmp);
    SyncV();
    pto::TCMP(bits, dst, high, pto::CmpMode::GT);
    SyncV();
    pto::TSEL(dst, bits, high, dst, tmp);
}

} // namespace ops
//~ NOT-ANALYSED
