// One template, several instances: what is wrong in one of them is told with its arguments.
// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

constexpr int NARROW = 16;

template <typename T, int Rows, int Cols, int MaskRows>
__global__ AICORE void runTSel(__gm__ T *out, __gm__ uint8_t *mask, __gm__ T *src0, __gm__ T *src1) {
    using TileData = Tile<TileType::Vec, T, Rows, Cols, BLayout::RowMajor, -1, -1>;
    using MaskTile = Tile<TileType::Vec, uint8_t, MaskRows, 32, BLayout::RowMajor, -1, -1>;
    using TmpTile = Tile<TileType::Vec, uint8_t, 1, 32, BLayout::RowMajor, -1, -1>;
    TileData src0Tile(Rows, Cols);
    TileData src1Tile(Rows, Cols);
    TileData dstTile(Rows, Cols);
    MaskTile maskTile(MaskRows, Cols / 8);
    TmpTile tmpTile(1, 32);
    TSEL(dstTile, maskTile, src0Tile, src1Tile, tmpTile);
    //~^ ERROR tsel-mask-rows: takes bits for 16 rows, but `maskTile` has 8
    //~^^ ERROR tsel-element-size: `dstTile` holds int8_t of 1
}

template <typename T, int Rows, int Cols, int MaskRows>
void LaunchTSel(T *out, uint8_t *mask, T *src0, T *src1, void *stream) {
    if constexpr (std::is_same_v<T, aclFloat16>) {
        runTSel<half, Rows, Cols, MaskRows><<<1, nullptr, stream>>>((half *)out, mask, (half *)src0, (half *)src1);
    } else {
        runTSel<T, Rows, Cols, MaskRows><<<1, nullptr, stream>>>(out, mask, src0, src1);
    }
}

template void LaunchTSel<float, NARROW, 64, NARROW>(float *out, uint8_t *mask, float *src0, float *src1, void *stream);
template void LaunchTSel<float, NARROW, 64, 8>(float *out, uint8_t *mask, float *src0, float *src1, void *stream);
template void LaunchTSel<aclFloat16, 8, 128, 8>(aclFloat16 *out, uint8_t *mask, aclFloat16 *src0, aclFloat16 *src1, void *stream);
template void LaunchTSel<int8_t, 8, 128, 8>(int8_t *out, uint8_t *mask, int8_t *src0, int8_t *src1, void *stream);
