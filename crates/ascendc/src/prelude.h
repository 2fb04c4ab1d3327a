// What kernels of AscendC take for granted: enumerations, parameter structs and small helpers of the API, and the parts
// of the standard library that device code uses. Objects with a state and instructions are no text: see `library.rs`.

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef int8_t TEventID;
typedef __gm__ uint8_t *GM_ADDR;
typedef float float32_t;
typedef half float16_t;

constexpr int8_t INT8_MAX = 127;
constexpr int16_t INT16_MAX = 32767;
constexpr int32_t INT32_MAX = 2147483647;
constexpr int64_t INT64_MAX = 9223372036854775807L;
constexpr int32_t INT32_MIN = -2147483647 - 1;
constexpr uint8_t UINT8_MAX = 255;
constexpr uint16_t UINT16_MAX = 65535;
constexpr uint32_t UINT32_MAX = 4294967295U;
constexpr uint64_t UINT64_MAX = 18446744073709551615UL;
constexpr int32_t INT_MAX = 2147483647;
constexpr int32_t INT_MIN = -2147483647 - 1;
constexpr uint32_t UINT_MAX = 4294967295U;
constexpr int8_t INT8_MIN = -128;
constexpr int16_t INT16_MIN = -32768;
constexpr int64_t INT64_MIN = -9223372036854775807L - 1;
constexpr float FLT_MAX = 3.402823466e+38F;
constexpr float FLT_MIN = 1.175494351e-38F;
constexpr float FLT_EPSILON = 1.192092896e-07F;

enum pipe_t {
    PIPE_S = 0,
    PIPE_V = 1,
    PIPE_M = 2,
    PIPE_MTE1 = 3,
    PIPE_MTE2 = 4,
    PIPE_MTE3 = 5,
    PIPE_ALL = 6,
    PIPE_MTE4 = 7,
    PIPE_MTE5 = 8,
    PIPE_V2 = 9,
    PIPE_FIX = 10
};

enum event_t {
    EVENT_ID0 = 0,
    EVENT_ID1 = 1,
    EVENT_ID2 = 2,
    EVENT_ID3 = 3,
    EVENT_ID4 = 4,
    EVENT_ID5 = 5,
    EVENT_ID6 = 6,
    EVENT_ID7 = 7
};

enum QuantMode_t {
    NoQuant = 0,
    F322F16 = 1,
    VREQ8 = 3,
    REQ8 = 4,
    VDEQF16 = 10,
    DEQF16 = 11,
    F322BF16 = 16,
    VQF322B8_PRE = 23,
    QF322B8_PRE = 24
};

enum KernelMetaType {
    KERNEL_TYPE_AIV_ONLY = 0,
    KERNEL_TYPE_AIC_ONLY = 1,
    KERNEL_TYPE_MIX_AIV_1_0 = 2,
    KERNEL_TYPE_MIX_AIC_1_0 = 3,
    KERNEL_TYPE_MIX_AIC_1_1 = 4,
    KERNEL_TYPE_MIX_AIC_1_2 = 5
};

namespace AscendC {
enum class TPosition : uint8_t {
    GM,
    A1,
    A2,
    B1,
    B2,
    C1,
    C2,
    CO1,
    CO2,
    VECIN,
    VECOUT,
    VECCALC,
    LCM = 11,
    SPM = 12,
    SHM = 12,
    TSCM = 13,
    C2PIPE2GM,
    C2PIPE2LOCAL,
    MAX
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

enum class HardEvent : uint8_t {
    MTE2_MTE1,
    MTE1_MTE2,
    MTE1_M,
    M_MTE1,
    MTE2_V,
    V_MTE2,
    MTE3_V,
    V_MTE3,
    M_V,
    V_M,
    V_V,
    MTE3_MTE1,
    MTE1_MTE3,
    MTE1_V,
    MTE2_M,
    M_MTE2,
    V_MTE1,
    M_FIX,
    FIX_M,
    MTE3_MTE2,
    MTE2_MTE3,
    S_V,
    V_S,
    S_MTE2,
    MTE2_S,
    S_MTE3,
    MTE3_S,
    MTE2_FIX,
    FIX_MTE2,
    FIX_S,
    M_S,
    FIX_MTE3,
    MTE1_FIX,
    FIX_MTE1,
    FIX_FIX,
    MAX
};

enum class RoundMode { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class MaskMode : uint8_t { NORMAL, COUNTER };
enum class ReduceOrder : uint8_t { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class CacheMode : uint8_t { CACHE_MODE_DISABLE, CACHE_MODE_NORMAL };
enum class MemDsbT : uint64_t { ALL, DDR, UB, SEQ };
enum class BlockMode : uint8_t { BLOCK_MODE_NORMAL, BLOCK_MODE_MATRIX, BLOCK_MODE_VECTOR };
enum class CO2Layout : uint8_t { NZ, ROW_MAJOR, COLUMN_MAJOR };
enum KernelCoreType { AIC = 1, AIV = 2, MIX = 0 };

using TEventID = int8_t;
using MASK_TYPE = uint64_t;
constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr int32_t DEFAULT_BLK_NUM = 8;
constexpr int32_t DEFAULT_BLK_STRIDE = 1;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
constexpr int32_t DEFAULT_C0_SIZE = 32;
constexpr int32_t DEFAULT_BLOCK_SIZE = 256;
constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr uint32_t ONE_BLK_FLOAT_NUM = 8;
constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr uint64_t FULL_MASK = 0xffffffffffffffff;
constexpr uint8_t HALF_DEFAULT_REPEAT_STRIDE = 4;
constexpr uint8_t ONE_FOURTH_DEFAULT_REPEAT_STRIDE = 2;
constexpr int32_t ONE_BYTE_BIT_SIZE = 8;
constexpr uint32_t F32_INF = 0x7f800000;
constexpr uint32_t F32_NEG_INF = 0xff800000;
constexpr uint32_t F32_NAN = 0x7fc00000;
constexpr int32_t BYTE_PER_FRACTAL = 512;
constexpr int32_t FULL_MASK_LEN = 128;
constexpr int32_t HALF_MASK_LEN = 64;
constexpr int32_t CUBE_MAX_SIZE = 256;
constexpr uint8_t B64_BYTE_SIZE = 8;
constexpr uint8_t B32_BYTE_SIZE = 4;
constexpr uint8_t B16_BYTE_SIZE = 2;
constexpr uint8_t B8_BYTE_SIZE = 1;
constexpr uint8_t B32_DATA_NUM_PER_BLOCK = 8;
constexpr uint8_t B16_DATA_NUM_PER_BLOCK = 16;
constexpr int32_t B16_DATA_NUM_PER_REPEAT = 128;
constexpr int32_t B32_DATA_NUM_PER_REPEAT = 64;
constexpr uint32_t HALF_REPEAT_SIZE = 128;
constexpr uint32_t FLOAT_REPEAT_SIZE = 64;
constexpr uint32_t ONE_REPEAT_FLOAT_SIZE = 64;
constexpr uint32_t ONE_REPEAT_HALF_SIZE = 128;
constexpr uint32_t MAX_REPEAT_FLOAT_SIZE = 16320;
constexpr uint32_t MAX_REPEAT_HALF_SIZE = 32640;
constexpr uint32_t ONE_BLK_HALF_NUM = 16;
constexpr uint32_t BRCB_BROADCAST_NUMBER = 8;
constexpr uint32_t BRCB_MAX_REPEAT_SIZE = 2040;
constexpr int32_t MIN_BLOCK_LEN = 1;
// Names of the library that projects may have as well: their own count.
namespace {
constexpr float PI = 3.14159265358979323846264338327950288;
}
constexpr uint32_t TOTAL_VEC_LOCAL_SIZE = 188416;
constexpr uint32_t CACHE_LINE_SIZE = 64;
constexpr size_t RESERVED_WORKSPACE = 16777216;
constexpr uint32_t MAX_REPEAT_TIMES = 255;
constexpr int32_t BLOCK_CUBE = 16;
constexpr int32_t TOTAL_UB_SIZE = 196608;
constexpr int32_t TOTAL_L1_SIZE = 524288;
constexpr int32_t TOTAL_L0A_SIZE = 65536;
constexpr int32_t TOTAL_L0B_SIZE = 65536;
constexpr int32_t TOTAL_L0C_SIZE = 131072;
constexpr uint32_t TMP_UB_OFFSET = 188416;
constexpr uint32_t TMP_UB_SIZE = 8192;

// The gaps have two names each; a kernel writes one of them.
struct DataCopyParams {
    uint16_t blockCount = 1;
    uint16_t blockLen = 0;
    uint16_t srcStride = 0;
    uint16_t dstStride = 0;
    uint16_t srcGap = 0;
    uint16_t dstGap = 0;
    DataCopyParams() {}
    DataCopyParams(uint16_t count, uint16_t len, uint16_t src, uint16_t dst)
        : blockCount(count), blockLen(len), srcStride(src), dstStride(dst)
    {
    }
};

struct DataCopyExtParams {
    uint16_t blockCount = 1;
    uint32_t blockLen = 0;
    uint32_t srcStride = 0;
    uint32_t dstStride = 0;
    uint32_t rsv = 0;
    DataCopyExtParams() {}
    DataCopyExtParams(uint16_t count, uint32_t len, uint32_t src, uint32_t dst, uint32_t reserved)
        : blockCount(count), blockLen(len), srcStride(src), dstStride(dst), rsv(reserved)
    {
    }
};

struct DataCopyPadParams {
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    uint64_t paddingValue = 0;
    DataCopyPadParams() {}
    DataCopyPadParams(bool pads, uint8_t left, uint8_t right, uint64_t value)
        : isPad(pads), leftPadding(left), rightPadding(right), paddingValue(value)
    {
    }
};

template <typename T>
struct DataCopyPadExtParams {
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    T paddingValue = 0;
    DataCopyPadExtParams() {}
    DataCopyPadExtParams(bool pads, uint8_t left, uint8_t right, T value)
        : isPad(pads), leftPadding(left), rightPadding(right), paddingValue(value)
    {
    }
};

struct Nd2NzParams {
    uint16_t ndNum = 0;
    uint16_t nValue = 0;
    uint16_t dValue = 0;
    uint16_t srcNdMatrixStride = 0;
    uint16_t srcDValue = 0;
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;
    uint16_t dstNzMatrixStride = 0;
    Nd2NzParams() {}
    Nd2NzParams(uint16_t matrices, uint16_t rows, uint16_t columns, uint16_t srcMatrix, uint16_t srcRow, uint16_t strip,
                uint16_t row, uint16_t dstMatrix)
        : ndNum(matrices), nValue(rows), dValue(columns), srcNdMatrixStride(srcMatrix), srcDValue(srcRow),
          dstNzC0Stride(strip), dstNzNStride(row), dstNzMatrixStride(dstMatrix)
    {
    }
};

template <typename T>
struct InitConstValueParams {
    uint16_t repeatTimes = 0;
    uint16_t blockNum = 0;
    uint16_t dstGap = 0;
    T initValue = 0;
    InitConstValueParams() {}
    InitConstValueParams(uint16_t repeats, uint16_t blocks, uint16_t gap, T value)
        : repeatTimes(repeats), blockNum(blocks), dstGap(gap), initValue(value)
    {
    }
};

struct UnaryRepeatParams {
    uint16_t dstBlkStride = 1;
    uint16_t srcBlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t srcRepStride = 8;
    UnaryRepeatParams() {}
    UnaryRepeatParams(uint16_t dstBlk, uint16_t srcBlk, uint8_t dstRep, uint8_t srcRep)
        : dstBlkStride(dstBlk), srcBlkStride(srcBlk), dstRepStride(dstRep), srcRepStride(srcRep)
    {
    }
};

struct BinaryRepeatParams {
    uint8_t dstBlkStride = 1;
    uint8_t src0BlkStride = 1;
    uint8_t src1BlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t src0RepStride = 8;
    uint8_t src1RepStride = 8;
    BinaryRepeatParams() {}
    BinaryRepeatParams(uint8_t dstBlk, uint8_t src0Blk, uint8_t src1Blk, uint8_t dstRep, uint8_t src0Rep,
                       uint8_t src1Rep)
        : dstBlkStride(dstBlk), src0BlkStride(src0Blk), src1BlkStride(src1Blk), dstRepStride(dstRep),
          src0RepStride(src0Rep), src1RepStride(src1Rep)
    {
    }
};

struct BrcbRepeatParams {
    uint16_t dstBlkStride = 1;
    uint16_t dstRepStride = 8;
    BrcbRepeatParams() {}
    BrcbRepeatParams(uint16_t dstBlk, uint16_t dstRep) : dstBlkStride(dstBlk), dstRepStride(dstRep) {}
};

struct CopyRepeatParams {
    uint16_t dstStride = 1;
    uint16_t srcStride = 1;
    uint16_t dstRepeatSize = 8;
    uint16_t srcRepeatSize = 8;
    CopyRepeatParams() {}
    CopyRepeatParams(uint16_t dstBlk, uint16_t srcBlk, uint16_t dstRep, uint16_t srcRep)
        : dstStride(dstBlk), srcStride(srcBlk), dstRepeatSize(dstRep), srcRepeatSize(srcRep)
    {
    }
};

enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V2;

struct GatherMaskParams {
    uint8_t src0BlockStride = 1;
    uint16_t repeatTimes = 0;
    uint16_t src0RepeatStride = 8;
    uint8_t src1RepeatStride = 8;
    GatherMaskParams() {}
    GatherMaskParams(uint8_t src0Blk, uint16_t repeats, uint16_t src0Rep, uint8_t src1Rep)
        : src0BlockStride(src0Blk), repeatTimes(repeats), src0RepeatStride(src0Rep), src1RepeatStride(src1Rep)
    {
    }
};

struct GatherRepeatParams {
    uint16_t dstBlkStride = 1;
    uint16_t dstRepStride = 8;
    GatherRepeatParams() {}
    GatherRepeatParams(uint16_t dstBlk, uint16_t dstRep) : dstBlkStride(dstBlk), dstRepStride(dstRep) {}
};

struct MrgSort4Info {
    uint16_t elementLengths[4] = {0, 0, 0, 0};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 15;
    uint16_t repeatTimes = 1;
    MrgSort4Info() {}
    MrgSort4Info(const uint16_t lengths[4], bool suspends, uint16_t valid, uint16_t repeats)
        : ifExhaustedSuspension(suspends), validBit(valid), repeatTimes(repeats)
    {
        for (int i = 0; i < 4; i++) {
            elementLengths[i] = lengths[i];
        }
    }
};

template <typename T>
struct MrgSortSrcList {
    LocalTensor<T> src1;
    LocalTensor<T> src2;
    LocalTensor<T> src3;
    LocalTensor<T> src4;
    MrgSortSrcList() {}
    MrgSortSrcList(const LocalTensor<T> &first, const LocalTensor<T> &second, const LocalTensor<T> &third,
                   const LocalTensor<T> &fourth)
        : src1(first), src2(second), src3(third), src4(fourth)
    {
    }
};

struct TransDataTo5HDParams {
    bool dstHighHalf = false;
    bool srcHighHalf = false;
    uint8_t repeatTimes = 1;
    uint16_t dstRepStride = 0;
    uint16_t srcRepStride = 0;
    TransDataTo5HDParams() {}
    TransDataTo5HDParams(bool dstHigh, bool srcHigh, uint8_t repeats, uint16_t dstRep, uint16_t srcRep)
        : dstHighHalf(dstHigh), srcHighHalf(srcHigh), repeatTimes(repeats), dstRepStride(dstRep), srcRepStride(srcRep)
    {
    }
};

struct LoadData2DParams {
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint8_t sid = 0;
    uint16_t dstGap = 0;
    bool ifTranspose = false;
    uint8_t addrMode = 0;
    LoadData2DParams() {}
    LoadData2DParams(uint16_t start, uint8_t repeats, uint16_t src, uint8_t stream, uint16_t dst, bool transposes,
                     uint8_t mode)
        : startIndex(start), repeatTimes(repeats), srcStride(src), sid(stream), dstGap(dst), ifTranspose(transposes),
          addrMode(mode)
    {
    }
};
using LoadData2dParams = LoadData2DParams;
struct LoadData2dTransposeParams {
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint8_t addrMode = 0;
    LoadData2dTransposeParams() {}
    LoadData2dTransposeParams(uint16_t start, uint8_t repeats, uint16_t src, uint16_t dst, uint16_t part,
                              uint8_t addresses = 0)
        : startIndex(start), repeatTimes(repeats), srcStride(src), dstGap(dst), dstFracGap(part), addrMode(addresses)
    {}
};

// A filter window that moves over an image of channel blocks.
template <typename T>
struct LoadData3DParamsV2 {
    uint8_t padList[4] = {0, 0, 0, 0};
    uint16_t l1H = 0;
    uint16_t l1W = 0;
    uint16_t channelSize = 0;
    uint16_t kExtension = 0;
    uint16_t mExtension = 0;
    uint16_t kStartPt = 0;
    uint16_t mStartPt = 0;
    uint8_t strideW = 1;
    uint8_t strideH = 1;
    uint8_t filterW = 1;
    uint8_t filterH = 1;
    uint8_t dilationFilterW = 1;
    uint8_t dilationFilterH = 1;
    bool enTranspose = false;
    bool enSmallK = false;
    T padValue = 0;
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
};

struct IsResetLoad3dConfig {
    bool isSetFMatrix = true;
    bool isSetPadding = true;
};
constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

struct MmadParams {
    uint16_t m = 0;
    uint16_t n = 0;
    uint16_t k = 0;
    uint8_t unitFlag = 0;
    bool cmatrixSource = false;
    bool cmatrixInitVal = true;
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false;
    bool enWinogradA = false;
    bool enWinogradB = false;
    bool kDirectionAlign = false;
    MmadParams() {}
    MmadParams(uint16_t rows, uint16_t columns, uint16_t depth, uint8_t flag, bool source, bool init)
        : m(rows), n(columns), k(depth), unitFlag(flag), cmatrixSource(source), cmatrixInitVal(init)
    {
    }
    MmadParams(uint16_t rows, uint16_t columns, uint16_t depth, bool bias, int32_t offset, bool sparse, bool winogradA,
               bool winogradB)
        : m(rows), n(columns), k(depth), isBias(bias), fmOffset(offset), enSsparse(sparse), enWinogradA(winogradA),
          enWinogradB(winogradB)
    {
    }
};

// Layouts of what `Fixpipe` writes.
constexpr int CFG_NZ = 0;
constexpr int CFG_ROW_MAJOR = 1;

struct FixpipeParamsV220 {
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint16_t srcStride = 0;
    uint32_t dstStride = 0;
    bool reluEn = false;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    int64_t deqScalar;
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    uint8_t unitFlag = 0;
    bool isChannelSplit = false;
    FixpipeParamsV220() {}
    FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src, uint32_t dst, bool relu)
        : nSize(n), mSize(m), srcStride(src), dstStride(dst), reluEn(relu)
    {
    }
    FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src, uint32_t dst, bool relu, QuantMode_t quant, int64_t scale,
                      uint16_t matrices, uint16_t srcNd, uint16_t dstNd, uint8_t flag)
        : nSize(n), mSize(m), srcStride(src), dstStride(dst), reluEn(relu), quantPre(quant), deqScalar(scale),
          ndNum(matrices), srcNdStride(srcNd), dstNdStride(dstNd), unitFlag(flag)
    {
    }
};

struct DataCopyCO12DstParams {
    uint8_t sid = 0;
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint32_t dstStride = 0;
    uint16_t srcStride = 0;
    uint8_t unitFlag = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint8_t reluPre = 0;
    bool channelSplit = false;
    bool nz2ndEn = false;
    uint8_t clipReluPre = 0;
    DataCopyCO12DstParams() {}
    DataCopyCO12DstParams(uint16_t n, uint16_t m, uint32_t dst, uint16_t src, QuantMode_t quant, uint8_t relu,
                          bool splits, bool rows)
        : nSize(n), mSize(m), dstStride(dst), srcStride(src), quantPre(quant), reluPre(relu), channelSplit(splits),
          nz2ndEn(rows)
    {
    }
};

template <typename T, typename U>
struct IsSameType {
    static constexpr bool value = false;
};
template <typename T>
struct IsSameType<T, T> {
    static constexpr bool value = true;
};

namespace Std {
template <typename T, typename U>
using is_same = ::std::is_same<T, U>;
template <typename T, typename U>
constexpr bool is_same_v = ::std::is_same<T, U>::value;
template <bool C, typename T, typename F>
using conditional = ::std::conditional<C, T, F>;
template <bool C, typename T, typename F>
using conditional_t = typename ::std::conditional<C, T, F>::type;
template <typename T, typename U>
constexpr auto min(const T &a, const U &b)
{
    return (a < b) ? a : b;
}
template <typename T, typename U>
constexpr auto max(const T &a, const U &b)
{
    return (a > b) ? a : b;
}
} // namespace Std

constexpr int32_t CeilDivision(int32_t a, int32_t b)
{
    return b == 0 ? 0 : (a + b - 1) / b;
}
constexpr uint32_t DivCeil(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}
constexpr uint32_t ConstCeil(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}
constexpr uint32_t Ceil(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}
constexpr uint32_t AlignUp(uint32_t a, uint32_t b)
{
    return DivCeil(a, b) * b;
}

// The type of a scalar that follows a tensor: it converts to that of the elements.
template <typename T>
struct ElementOf {
    using type = T;
};

// Vector instructions: with a count, with the number of lanes of each repeat, with a mask of two words.
#define A2LINT_BINARY(NAME)                                                                                            \
    template <typename T>                                                                                              \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,                       \
              const int32_t &count);                                                                                   \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask,        \
              const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);                                       \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,                       \
              const uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
#define A2LINT_BINARY_MIXED(NAME)                                                                                      \
    template <typename T, typename U>                                                                                  \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,                       \
              const int32_t &count);                                                                                   \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask,        \
              const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);                                       \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,                       \
              const uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
#define A2LINT_UNARY(NAME)                                                                                             \
    template <typename T>                                                                                              \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count);                             \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime,           \
              const UnaryRepeatParams &repeatParams);                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[], const uint8_t repeatTime,   \
              const UnaryRepeatParams &repeatParams);
#define A2LINT_SCALAR(NAME)                                                                                            \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const typename ElementOf<T>::type &scalarValue,    \
              const int32_t &count);                                                                                   \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const typename ElementOf<T>::type &scalarValue,    \
              uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);                         \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const typename ElementOf<T>::type &scalarValue,    \
              const uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);

A2LINT_BINARY(Add)
A2LINT_BINARY(Sub)
A2LINT_BINARY(Mul)
A2LINT_BINARY(Div)
A2LINT_BINARY(Max)
A2LINT_BINARY(Min)
A2LINT_BINARY(And)
A2LINT_BINARY(Or)
A2LINT_BINARY(AddRelu)
A2LINT_BINARY(SubRelu)
A2LINT_BINARY(FusedMulAdd)
A2LINT_BINARY(FusedMulAddRelu)
A2LINT_BINARY(MulAddRelu)
A2LINT_BINARY_MIXED(MulAddDst)
A2LINT_UNARY(Exp)
A2LINT_UNARY(Ln)
A2LINT_UNARY(Abs)
A2LINT_UNARY(Reciprocal)
A2LINT_UNARY(Sqrt)
A2LINT_UNARY(Rsqrt)
A2LINT_UNARY(Relu)
A2LINT_UNARY(Not)
A2LINT_SCALAR(Adds)
A2LINT_SCALAR(Muls)
A2LINT_SCALAR(Maxs)
A2LINT_SCALAR(Mins)
A2LINT_SCALAR(LeakyRelu)
A2LINT_SCALAR(ShiftLeft)
A2LINT_SCALAR(ShiftRight)
#undef A2LINT_BINARY
#undef A2LINT_BINARY_MIXED
#undef A2LINT_UNARY
#undef A2LINT_SCALAR

template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const typename ElementOf<T>::type &scalarValue,
                uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams, bool roundEn);
template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const typename ElementOf<T>::type &scalarValue,
                const uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams, bool roundEn);

template <typename T, typename U, bool isSetMask = true>
void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const typename ElementOf<U>::type &scalarValue,
          const int32_t &count);
template <typename T, typename U, bool isSetMask = true>
void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const typename ElementOf<U>::type &scalarValue,
          uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true>
void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const typename ElementOf<U>::type &scalarValue,
          const uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);

template <typename T, typename U>
void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode, const uint32_t count);
template <typename T, typename U, bool isSetMask = true>
void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode, const uint64_t mask,
          const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true>
void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode, const uint64_t mask[],
          const uint8_t repeatTime, const UnaryRepeatParams &repeatParams);

template <typename T>
void Duplicate(const LocalTensor<T> &dst, const typename ElementOf<T>::type &scalarValue, const int32_t &count);
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T> &dst, const typename ElementOf<T>::type &scalarValue, uint64_t mask,
               const uint8_t repeatTime, const uint16_t dstBlockStride, const uint8_t dstRepeatStride);
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T> &dst, const typename ElementOf<T>::type &scalarValue, const uint64_t mask[],
               const uint8_t repeatTime, const uint16_t dstBlockStride, const uint8_t dstRepeatStride);

template <typename T>
void Brcb(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint8_t repeatTime,
          const BrcbRepeatParams &repeatParams);

template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask, const uint8_t repeatTime,
          const CopyRepeatParams &repeatParams);
template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[], const uint8_t repeatTime,
          const CopyRepeatParams &repeatParams);

template <typename T>
void CreateVecIndex(LocalTensor<T> dst, const typename ElementOf<T>::type &firstValue, uint32_t count);
template <typename T>
void ArithProgression(const LocalTensor<T> &dst, const typename ElementOf<T>::type firstValue,
                      const typename ElementOf<T>::type diffValue, const int32_t count);
template <typename T>
void Arange(const LocalTensor<T> &dst, const typename ElementOf<T>::type firstValue,
            const typename ElementOf<T>::type diffValue, const int32_t count);

// Comparison and choice.
template <typename T, typename U>
void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode,
             uint32_t count);
template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode,
             const uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode,
             const uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams &repeatParams);
template <typename T, typename U>
void CompareScalar(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const typename ElementOf<T>::type src1Scalar,
                   CMPMODE cmpMode, uint32_t count);
template <typename T, typename U, bool isSetMask = true>
void CompareScalar(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const typename ElementOf<T>::type src1Scalar,
                   CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true>
void CompareScalar(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const typename ElementOf<T>::type src1Scalar,
                   CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime, const UnaryRepeatParams &repeatParams);
template <typename T, typename U>
void Compares(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const typename ElementOf<T>::type src1Scalar,
              CMPMODE cmpMode, uint32_t count);

template <typename T, typename U>
void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
            const LocalTensor<T> &src1, SELMODE selMode, uint32_t count);
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
            const LocalTensor<T> &src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime,
            const BinaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
            const LocalTensor<T> &src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime,
            const BinaryRepeatParams &repeatParams);
template <typename T, typename U>
void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
            typename ElementOf<T>::type src1, SELMODE selMode, uint32_t count);
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
            typename ElementOf<T>::type src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime,
            const BinaryRepeatParams &repeatParams);
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
            typename ElementOf<T>::type src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime,
            const BinaryRepeatParams &repeatParams);

// Reductions.
template <typename T, bool isSetMask = true>
void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t mask, const int32_t repeatTime,
                    const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride);
template <typename T, bool isSetMask = true>
void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[],
                    const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                    const int32_t srcRepStride);
#define A2LINT_WHOLE_REDUCE(NAME)                                                                                      \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t mask, const int32_t repeatTime,      \
              const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                      \
              ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX);                                                     \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[], const int32_t repeatTime,   \
              const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                      \
              ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX);
#define A2LINT_BLOCK_REDUCE(NAME)                                                                                      \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t mask,      \
              const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride);                     \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const uint64_t mask[],   \
              const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride);
A2LINT_WHOLE_REDUCE(WholeReduceMax)
A2LINT_WHOLE_REDUCE(WholeReduceMin)
A2LINT_BLOCK_REDUCE(BlockReduceSum)
A2LINT_BLOCK_REDUCE(BlockReduceMax)
A2LINT_BLOCK_REDUCE(BlockReduceMin)
A2LINT_BLOCK_REDUCE(PairReduceSum)
template <typename T>
LocalTensor<T> A2lintTensor(__ubuf__ T *address);
// Whether the mask is in counter mode, and its number of elements; the number of repeats has no effect in that mode.
bool A2lintCounts();
int64_t A2lintCounted();
#define A2LINT_BLOCK_REDUCE_AT(NAME)                                                                                   \
    template <typename T>                                                                                              \
    void NAME##IntrinsicsImpl(__ubuf__ T *dst, __ubuf__ T *src, uint8_t repeat, uint16_t dstRepStride,                 \
                              uint16_t srcBlkStride, uint16_t srcRepStride)                                            \
    {                                                                                                                  \
        LocalTensor<T> to = A2lintTensor<T>(dst);                                                                      \
        LocalTensor<T> from = A2lintTensor<T>(src);                                                                    \
        if (A2lintCounts()) {                                                                                          \
            constexpr uint32_t lanes = 256 / sizeof(T);                                                                \
            const uint32_t all = A2lintCounted();                                                                      \
            const uint32_t whole = all / lanes;                                                                        \
            const uint32_t results = dstRepStride * 8;                                                                 \
            const uint32_t step = srcRepStride * 32 / sizeof(T);                                                       \
            SetMaskNorm();                                                                                             \
            for (uint32_t at = 0; at < whole; at += 255) {                                                             \
                NAME(to[at * results], from[at * step], whole - at < 255 ? whole - at : 255, lanes, dstRepStride,      \
                     srcBlkStride, srcRepStride);                                                                      \
            }                                                                                                          \
            if (all % lanes > 0) {                                                                                     \
                NAME(to[whole * results], from[whole * step], 1, all % lanes, dstRepStride, srcBlkStride,              \
                     srcRepStride);                                                                                    \
            }                                                                                                          \
            SetMaskCount();                                                                                            \
            SetVectorMask<T, MaskMode::COUNTER>(0, all);                                                               \
        } else {                                                                                                       \
            NAME<T, false>(to, from, repeat, 0, dstRepStride, srcBlkStride, srcRepStride);                             \
        }                                                                                                              \
    }
A2LINT_BLOCK_REDUCE_AT(BlockReduceSum)
A2LINT_BLOCK_REDUCE_AT(BlockReduceMax)
A2LINT_BLOCK_REDUCE_AT(BlockReduceMin)
#undef A2LINT_WHOLE_REDUCE
#undef A2LINT_BLOCK_REDUCE

template <typename T, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t mask,
                     const int32_t dstBlkStride, const int32_t srcBlkStride, const int32_t dstRepStride,
                     const int32_t srcRepStride);
template <typename T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,
               const int32_t count);
template <typename T>
void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,
               const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride);
template <typename T>
void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,
               const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride);
template <typename T>
void ReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,
               const int32_t count, bool calIndex = 0);
template <typename T>
void ReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,
               const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0);
template <typename T>
void ReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,
               const int32_t count, bool calIndex = 0);
template <typename T>
void ReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,
               const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0);

// Indexed access, sorting, layout.
template <typename T>
void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset,
            const uint32_t srcBaseAddr, const uint32_t count);
template <typename T>
void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset,
            const uint32_t srcBaseAddr, const uint64_t mask, const uint8_t repeatTime, const uint16_t dstRepStride);
template <typename T>
void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset,
            const uint32_t srcBaseAddr, const uint64_t mask[], const uint8_t repeatTime, const uint16_t dstRepStride);
template <typename T>
void Gatherb(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &offset,
             const uint8_t repeatTime, const GatherRepeatParams &repeatParams);
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const uint8_t src1Pattern, const bool reduceMode,
                const uint32_t mask, const GatherMaskParams &gatherMaskParams, uint64_t &rsvdCnt);
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &src1Pattern,
                const bool reduceMode, const uint32_t mask, const GatherMaskParams &gatherMaskParams,
                uint64_t &rsvdCnt);
template <typename T>
void Sort32(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &src1,
            const int32_t repeatTime);
template <typename T>
void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const MrgSort4Info &params);
template <typename T, bool isExhaustedSuspension = false>
void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const uint16_t elementCountList[4],
             uint32_t sortedNum[4], uint16_t validBit, const int32_t repeatTime);
void GetMrgSortResult(uint16_t &mrgSortList1, uint16_t &mrgSortList2, uint16_t &mrgSortList3, uint16_t &mrgSortList4);

// Moves.
template <typename T>
void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const uint32_t count);
template <typename T>
void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &repeatParams);
template <typename T>
void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count);
template <typename T>
void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &repeatParams);
template <typename T, typename U>
void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint32_t count);
template <typename T, typename U>
void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyParams &repeatParams);
template <typename T>
void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Nd2NzParams &intriParams);
template <typename T, typename U>
void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyCO12DstParams &intriParams);
template <typename T>
void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyExtParams &dataCopyParams,
                 const DataCopyPadExtParams<T> &padParams);
template <typename T>
void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &dataCopyParams,
                 const DataCopyPadParams &padParams);
template <typename T>
void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyExtParams &dataCopyParams);
template <typename T>
void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &dataCopyParams);
// The moves by addresses that `DataCopyPad` is made of.
template <typename T>
void DataCopyPadGm2UBImpl(__ubuf__ T *dst, __gm__ T *src, const DataCopyExtParams &intriParams,
                          const DataCopyPadExtParams<T> &padParams)
{
    LocalTensor<T> to = A2lintTensor<T>(dst);
    GlobalTensor<T> from;
    from.SetGlobalBuffer(src);
    DataCopyPad(to, from, intriParams, padParams);
}
template <typename T>
void DataCopyPadUB2GMImpl(__gm__ T *dst, __ubuf__ T *src, const DataCopyExtParams &intriParams)
{
    LocalTensor<T> from = A2lintTensor<T>(src);
    GlobalTensor<T> to;
    to.SetGlobalBuffer(dst);
    DataCopyPad(to, from, intriParams);
}
template <typename T>
void SetPadValue(T paddingValue);
void SetDeqScale(half scale);
template <typename T>
T GetAccVal();

// Cube.
void SetHF32Mode(bool hf32Mode);
void SetMMLayoutTransform(bool mmLayoutMode);
void SetMMColumnMajor();
void SetMMRowMajor();
void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride);
template <typename T>
void SetFixPipeConfig(const LocalTensor<T> &reluPre, const LocalTensor<T> &quantPre, bool isUnitFlag = false);
template <typename T, bool setRelu = false>
void SetFixPipeConfig(const LocalTensor<T> &preData, bool isUnitFlag = false);
template <typename T>
void SetLoadDataPaddingValue(const T padValue);
template <typename T>
void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParams &loadDataParams);
template <typename T>
void LoadData(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const LoadData2DParams &loadDataParams);
template <typename T>
void LoadDataWithTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                           const LoadData2dTransposeParams &loadDataParams);
template <typename T, const IsResetLoad3dConfig &config = IS_RESER_LOAD3D_DEFAULT_CONFIG, typename U>
void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData3DParamsV2<U> &loadDataParams);
template <typename T, typename U, typename S>
void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter,
          const MmadParams &mmadParams);
template <typename T, typename U, typename S, typename V>
void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter, const LocalTensor<V> &bias,
          const MmadParams &mmadParams);
template <typename T, typename U, int config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &intriParams);
template <typename T, typename U, int config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &intriParams);
template <typename T, typename U, int config = CFG_ROW_MAJOR, typename S>
void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const LocalTensor<S> &cbufWorkspace,
             const FixpipeParamsV220 &intriParams);

// State.
void SetMaskNorm();
void SetMaskCount();
void ResetMask();
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow);
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(int32_t len);
template <typename T>
void SetAtomicAdd();
template <typename T>
void SetAtomicMax();
template <typename T>
void SetAtomicMin();
void SetAtomicNone();
void DisableDmaAtomic();
void InitSocState();

// Synchronisation.
template <HardEvent event>
void SetFlag(int32_t eventID);
template <HardEvent event>
void WaitFlag(int32_t eventID);
template <pipe_t pipe>
void PipeBarrier();
template <MemDsbT arg0>
void DataSyncBarrier();
template <bool isAIVOnly = true>
void SyncAll();
template <bool isAIVOnly = true>
void SyncAll(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &ubWorkspace,
             const int32_t usedCores = 0);
template <uint8_t modeId, pipe_t pipe>
void CrossCoreSetFlag(uint16_t flagId);
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
void CrossCoreWaitFlag(uint16_t flagId);
template <pipe_t pipe>
void NotifyEvent(uint16_t flagId);
template <pipe_t pipe = PIPE_S>
void WaitEvent(uint16_t flagId);
void ffts_cross_core_sync(pipe_t pipe, uint64_t message);
void wait_flag_dev(int64_t flagId);

// Queries.
int64_t GetBlockIdx();
int64_t GetBlockNum();
int64_t GetSubBlockIdx();
int64_t GetSubBlockNum();
int64_t GetTaskRation();
int64_t GetTaskRatio();
int64_t GetDataBlockSizeInBytes();
TPipe *GetTPipePtr();
GM_ADDR GetUserWorkspace(GM_ADDR workspace);
// Kernels do not access the workspace of the system.
constexpr uint8_t A2lintSystemWorkspace = 0;
inline GM_ADDR GetSysWorkSpacePtr() { return (GM_ADDR)&A2lintSystemWorkspace; }
void SetSysWorkspace(GM_ADDR workspace);
void SetSysWorkspaceForce(GM_ADDR workspace);

int64_t GetSystemCycle();
void SetOverflow(uint64_t ctrlValue);

float ToFloat(const bfloat16_t &bVal)
{
    return static_cast<float>(bVal);
}
bfloat16_t ToBfloat16(const float &fVal)
{
    return static_cast<bfloat16_t>(fVal);
}

// The second tensor is read after the first one has been written: they must not overlap.
template <typename T, typename U>
void A2lintApart(const LocalTensor<T> &dst, const LocalTensor<U> &src, uint32_t count);

// Functions that are implemented by instructions. Their scratch memory in the free part of UB is a separate tensor.
template <typename T>
void A2lintScratch(LocalTensor<T> &tensor, uint32_t bytes);

template <typename T>
void A2lintStoreValue(const GlobalTensor<T> &gm, const uint64_t size, const T value)
{
    constexpr uint32_t length = 8160 / sizeof(T);
    LocalTensor<T> values;
    A2lintScratch<T>(values, 8160);
    Duplicate(values, value, static_cast<int32_t>(length));
    auto id = GetTPipePtr()->FetchEventID(HardEvent::V_MTE3);
    SetFlag<HardEvent::V_MTE3>(id);
    WaitFlag<HardEvent::V_MTE3>(id);
    const uint32_t whole = size / length;
    const uint32_t tail = size % length;
    for (uint32_t at = 0; at < whole; at++) {
        DataCopyPad(gm[at * length], values, DataCopyExtParams(1, length * sizeof(T), 0, 0, 0));
    }
    if (tail != 0) {
        DataCopyPad(gm[whole * length], values, DataCopyExtParams(1, tail * sizeof(T), 0, 0, 0));
    }
}
template <typename T>
void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size, typename ElementOf<T>::type value = 0)
{
    if (::g_coreType == KernelCoreType::AIV) {
        A2lintStoreValue<T>(gmWorkspaceAddr, size, value);
    }
}
template <typename T>
void Fill(GlobalTensor<T> gmWorkspaceAddr, const uint64_t size, const typename ElementOf<T>::type value)
{
    if (::g_coreType == KernelCoreType::AIV) {
        A2lintStoreValue<T>(gmWorkspaceAddr, size, value);
        PipeBarrier<PIPE_MTE3>();
    }
}
template <typename T>
void Fill(const LocalTensor<T> &dst, const InitConstValueParams<typename ElementOf<T>::type> &initConstValueParams);
template <typename T>
void InitConstValue(const LocalTensor<T> &dst,
                    const InitConstValueParams<typename ElementOf<T>::type> &initConstValueParams);
template <typename T>
void InitGlobalMemory(GlobalTensor<T> gmWorkspaceAddr, const uint64_t size, const typename ElementOf<T>::type value)
{
    Fill<T>(gmWorkspaceAddr, size, value);
}

template <typename T>
void A2lintLogistic(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &ones, int32_t count)
{
    PipeBarrier<PIPE_V>();
    Muls(dst, src, static_cast<T>(-1), count);
    PipeBarrier<PIPE_V>();
    Exp(dst, dst, count);
    PipeBarrier<PIPE_V>();
    Adds(dst, dst, static_cast<T>(1), count);
    Duplicate(ones, static_cast<T>(1), count);
    PipeBarrier<PIPE_V>();
    Div(dst, ones, dst, count);
    PipeBarrier<PIPE_V>();
}
template <typename T, bool isReuseSource = false>
void Sigmoid(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor,
             const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount)
{
    const uint32_t part = sharedTmpBuffer.GetSize() / sizeof(T);
    const uint32_t parts = calCount / part;
    const uint32_t tail = calCount % part;
    LocalTensor<T> ones = sharedTmpBuffer.template ReinterpretCast<T>();
    A2lintApart(ones, srcTensor, calCount);
    A2lintApart(ones, dstTensor, calCount);
    for (uint32_t at = 0; at < parts; at++) {
        A2lintLogistic<T>(dstTensor[at * part], srcTensor[at * part], ones, part);
    }
    if (tail > 0) {
        A2lintLogistic<T>(dstTensor[parts * part], srcTensor[parts * part], ones, tail);
    }
}
template <typename T, bool isReuseSource = false>
void Sigmoid(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const uint32_t calCount)
{
    LocalTensor<T> ones;
    A2lintScratch<T>(ones, calCount * sizeof(T));
    A2lintLogistic<T>(dstTensor, srcTensor, ones, calCount);
}
// Computes (exp(2x) - 1) / (exp(2x) + 1) in float, with x clamped to [-8.8, 8.8].
template <typename T>
void A2lintTanh(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<float> &tmp, int32_t count)
{
    const int32_t padded = (count + 7) / 8 * 8;
    LocalTensor<float> below = tmp;
    LocalTensor<float> above = tmp[padded];
    PipeBarrier<PIPE_V>();
    if constexpr (sizeof(T) == sizeof(float)) {
        Mins(below, src, 8.8f, count);
    } else {
        Cast(below, src, RoundMode::CAST_NONE, count);
        PipeBarrier<PIPE_V>();
        Mins(below, below, 8.8f, count);
    }
    PipeBarrier<PIPE_V>();
    Maxs(below, below, -8.8f, count);
    PipeBarrier<PIPE_V>();
    Muls(below, below, 2.0f, count);
    PipeBarrier<PIPE_V>();
    Exp(below, below, count);
    PipeBarrier<PIPE_V>();
    Adds(above, below, -1.0f, count);
    Adds(below, below, 1.0f, count);
    PipeBarrier<PIPE_V>();
    if constexpr (sizeof(T) == sizeof(float)) {
        Div(dst, above, below, count);
    } else {
        Div(above, above, below, count);
        PipeBarrier<PIPE_V>();
        Cast(dst, above, RoundMode::CAST_NONE, count);
    }
    PipeBarrier<PIPE_V>();
}
template <typename T, bool isReuseSource = false>
void Tanh(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor,
          const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount)
{
    const uint32_t part = sharedTmpBuffer.GetSize() / (2 * sizeof(float)) / 64 * 64;
    const uint32_t parts = calCount / part;
    const uint32_t tail = calCount % part;
    LocalTensor<float> tmp = sharedTmpBuffer.template ReinterpretCast<float>();
    A2lintApart(sharedTmpBuffer.template ReinterpretCast<T>(), srcTensor, calCount);
    A2lintApart(sharedTmpBuffer.template ReinterpretCast<T>(), dstTensor, calCount);
    for (uint32_t at = 0; at < parts; at++) {
        A2lintTanh<T>(dstTensor[at * part], srcTensor[at * part], tmp, part);
    }
    if (tail > 0) {
        A2lintTanh<T>(dstTensor[parts * part], srcTensor[parts * part], tmp, tail);
    }
}
template <typename T, bool isReuseSource = false>
void Tanh(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const uint32_t calCount)
{
    LocalTensor<float> tmp;
    A2lintScratch<float>(tmp, (calCount + 8) * 2 * sizeof(float));
    A2lintTanh<T>(dstTensor, srcTensor, tmp, calCount);
}
template <typename T, bool isReuseSource = false>
void Tanh(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor)
{
    Tanh<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}
// Computes x = from - turns * part.
inline void A2lintTurn(const LocalTensor<float> &x, const LocalTensor<float> &from, const LocalTensor<float> &turns,
                       const LocalTensor<float> &tmp, float part, int32_t count)
{
    Muls(tmp, turns, part, count);
    PipeBarrier<PIPE_V>();
    Sub(x, from, tmp, count);
    PipeBarrier<PIPE_V>();
}
// Computes k = k * square + term.
inline void A2lintTerm(const LocalTensor<float> &k, const LocalTensor<float> &square, float term, int32_t count)
{
    Mul(k, k, square, count);
    PipeBarrier<PIPE_V>();
    Adds(k, k, term, count);
    PipeBarrier<PIPE_V>();
}
// Computes a sine or cosine: x without the nearest multiple k of pi, which four or five numbers add up to, a polynomial
// of that, and a sign by whether k is odd.
template <bool isCosine>
void A2lintWave(const LocalTensor<float> &dst, const LocalTensor<float> &src, const LocalTensor<float> &x,
                const LocalTensor<float> &tmp, int32_t part, int32_t count)
{
    LocalTensor<float> k = tmp;
    LocalTensor<float> square = tmp[part];
    PipeBarrier<PIPE_V>();
    Muls(k, src, 0.3183098733425140380859375f, count);
    PipeBarrier<PIPE_V>();
    if constexpr (isCosine) {
        Adds(k, k, 0.5f, count);
        PipeBarrier<PIPE_V>();
        Cast(k, k, RoundMode::CAST_RINT, count);
    } else {
        Cast(k, k, RoundMode::CAST_ROUND, count);
    }
    PipeBarrier<PIPE_V>();
    A2lintTurn(x, src, k, square, 3.140625f, count);
    A2lintTurn(x, x, k, square, 0.0009670257568359375f, count);
    if constexpr (isCosine) {
        Adds(x, x, 1.57079637050628662109375f, count);
        PipeBarrier<PIPE_V>();
    }
    A2lintTurn(x, x, k, square, 6.2771141529083251953125e-7f, count);
    A2lintTurn(x, x, k, square, 1.21644916362129151821136474609375e-10f, count);
    if constexpr (isCosine) {
        A2lintTurn(x, x, k, square, -1.0290623200529979163359041220560e-13f, count);
        Adds(x, x, -0.00000004371139000189375f, count);
        PipeBarrier<PIPE_V>();
    }
    Mul(square, x, x, count);
    Muls(dst, k, 0.5f, count);
    PipeBarrier<PIPE_V>();
    Cast(dst, dst, RoundMode::CAST_FLOOR, count);
    PipeBarrier<PIPE_V>();
    Muls(dst, dst, 4.0f, count);
    Muls(k, k, -2.0f, count);
    PipeBarrier<PIPE_V>();
    Add(dst, dst, k, count);
    PipeBarrier<PIPE_V>();
    Adds(dst, dst, 1.0f, count);
    Muls(k, square, 2.604926501e-6f, count);
    PipeBarrier<PIPE_V>();
    Adds(k, k, -0.0001980894471f, count);
    PipeBarrier<PIPE_V>();
    A2lintTerm(k, square, 0.008333049340f, count);
    A2lintTerm(k, square, -0.1666665792f, count);
    A2lintTerm(k, square, 1.0f, count);
    Mul(k, k, x, count);
    PipeBarrier<PIPE_V>();
    Mul(dst, k, dst, count);
    PipeBarrier<PIPE_V>();
    if constexpr (isCosine) {
        Mins(dst, dst, 1.0f, count);
        PipeBarrier<PIPE_V>();
        Maxs(dst, dst, -1.0f, count);
        PipeBarrier<PIPE_V>();
    }
}
template <typename T, bool isCosine, bool isReuseSource>
void A2lintWaves(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<float> &tmp, int32_t part,
                 int32_t count)
{
    if constexpr (sizeof(T) == sizeof(half)) {
        LocalTensor<float> wide = tmp;
        PipeBarrier<PIPE_V>();
        Cast(wide, src, RoundMode::CAST_NONE, count);
        A2lintWave<isCosine>(wide, wide, tmp[3 * part], tmp[part], part, count);
        Cast(dst, wide, RoundMode::CAST_NONE, count);
        PipeBarrier<PIPE_V>();
    } else if constexpr (isReuseSource) {
        A2lintWave<isCosine>(dst, src, src, tmp, part, count);
    } else {
        A2lintWave<isCosine>(dst, src, tmp[2 * part], tmp, part, count);
    }
}
template <typename T, bool isReuseSource>
constexpr uint32_t A2LINT_WAVE_PARTS = sizeof(T) == sizeof(half) ? 4 : isReuseSource ? 2 : 3;
template <typename T, bool isCosine, bool isReuseSource>
void A2lintWavesIn(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &shared,
                   const uint32_t count)
{
    const uint32_t part = shared.GetSize() / sizeof(float) / A2LINT_WAVE_PARTS<T, isReuseSource> / 32 * 32;
    const uint32_t parts = count / part;
    const uint32_t tail = count % part;
    LocalTensor<float> tmp = shared.template ReinterpretCast<float>();
    for (uint32_t at = 0; at < parts; at++) {
        A2lintWaves<T, isCosine, isReuseSource>(dst[at * part], src[at * part], tmp, part, part);
    }
    if (tail > 0) {
        A2lintWaves<T, isCosine, isReuseSource>(dst[parts * part], src[parts * part], tmp, part, tail);
    }
}
template <typename T, bool isCosine, bool isReuseSource>
void A2lintWavesOf(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count)
{
    const uint32_t part = (count + 31) / 32 * 32;
    LocalTensor<float> tmp;
    A2lintScratch<float>(tmp, part * A2LINT_WAVE_PARTS<T, isReuseSource> * sizeof(float));
    A2lintWaves<T, isCosine, isReuseSource>(dst, src, tmp, part, count);
}
#define A2LINT_WAVE(NAME, IS_COSINE)                                                                                   \
    template <typename T, bool isReuseSource = false>                                                                  \
    void NAME(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor,                                        \
              const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount)                                    \
    {                                                                                                                  \
        A2lintWavesIn<T, IS_COSINE, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, calCount);                   \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    void NAME(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor,                                        \
              const LocalTensor<uint8_t> &sharedTmpBuffer)                                                             \
    {                                                                                                                  \
        A2lintWavesIn<T, IS_COSINE, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());        \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    void NAME(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const uint32_t calCount)               \
    {                                                                                                                  \
        A2lintWavesOf<T, IS_COSINE, isReuseSource>(dstTensor, srcTensor, calCount);                                    \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    void NAME(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor)                                        \
    {                                                                                                                  \
        A2lintWavesOf<T, IS_COSINE, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());                         \
    }
A2LINT_WAVE(Sin, false)
A2LINT_WAVE(Cos, true)
#undef A2LINT_WAVE
// Rounds to whole numbers, ties to even ones; in float, for lack of an instruction for half.
template <typename T>
void A2lintRound(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<float> &tmp, int32_t count)
{
    if constexpr (sizeof(T) == sizeof(float)) {
        Cast(dst, src, RoundMode::CAST_RINT, count);
    } else {
        Cast(tmp, src, RoundMode::CAST_NONE, count);
        PipeBarrier<PIPE_V>();
        Cast(tmp, tmp, RoundMode::CAST_RINT, count);
        PipeBarrier<PIPE_V>();
        Cast(dst, tmp, RoundMode::CAST_NONE, count);
        PipeBarrier<PIPE_V>();
    }
}
template <typename T, bool isReuseSource = false>
void Round(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor,
           const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount)
{
    LocalTensor<float> tmp = sharedTmpBuffer.template ReinterpretCast<float>();
    if constexpr (sizeof(T) == sizeof(float)) {
        A2lintRound<T>(dstTensor, srcTensor, tmp, calCount);
    } else {
        const uint32_t part = sharedTmpBuffer.GetSize() / sizeof(float) / 32 * 32;
        const uint32_t parts = calCount / part;
        const uint32_t tail = calCount % part;
        for (uint32_t at = 0; at < parts; at++) {
            A2lintRound<T>(dstTensor[at * part], srcTensor[at * part], tmp, part);
        }
        if (tail > 0) {
            A2lintRound<T>(dstTensor[parts * part], srcTensor[parts * part], tmp, tail);
        }
    }
}
template <typename T, bool isReuseSource = false>
void Round(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const uint32_t calCount)
{
    LocalTensor<float> tmp;
    if constexpr (sizeof(T) == sizeof(half)) {
        A2lintScratch<float>(tmp, (calCount + 7) / 8 * 8 * sizeof(float));
    }
    A2lintRound<T>(dstTensor, srcTensor, tmp, calCount);
}
template <typename T>
void Log(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, uint32_t calCount)
{
    Ln(dstTensor, srcTensor, static_cast<int32_t>(calCount));
}
template <typename T>
void Log(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor)
{
    Ln(dstTensor, srcTensor, static_cast<int32_t>(srcTensor.GetSize()));
}
template <typename T, bool isReuseSource = false>
void Silu(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, uint32_t dataSize)
{
    A2lintApart(dstLocal, srcLocal, dataSize);
    const int32_t count = dataSize;
    Muls(dstLocal, srcLocal, static_cast<T>(-1), count);
    PipeBarrier<PIPE_V>();
    Exp(dstLocal, dstLocal, count);
    PipeBarrier<PIPE_V>();
    Adds(dstLocal, dstLocal, static_cast<T>(1), count);
    PipeBarrier<PIPE_V>();
    Div(dstLocal, srcLocal, dstLocal, count);
    PipeBarrier<PIPE_V>();
}

// A record is a value with its index and has 8 bytes.
template <typename T>
uint32_t GetSortOffset(const uint32_t elemOffset)
{
    return elemOffset * (8 / sizeof(T));
}
template <typename T>
uint32_t GetSortLen(const uint32_t elemCount)
{
    return elemCount * (8 / sizeof(T));
}
// A tensor that a function asks for without touching it.
template <typename T>
void A2lintDemand(const LocalTensor<T> &tensor);
template <typename T>
void Concat(LocalTensor<T> &concat, const LocalTensor<T> &src, const LocalTensor<T> &tmp, const int32_t repeatTime)
{
    A2lintDemand(tmp);
    concat = src;
}
template <typename T>
void Extract(const LocalTensor<T> &dstValue, const LocalTensor<uint32_t> &dstIndex, const LocalTensor<T> &sorted,
             const int32_t repeatTime)
{
    uint64_t kept = 0;
    const LocalTensor<uint32_t> words = sorted.template ReinterpretCast<uint32_t>();
    const uint16_t repeats = repeatTime;
    if constexpr (sizeof(T) == 2) {
        GatherMask(dstValue, sorted, 3, false, 0, GatherMaskParams(1, repeats, 8, 0), kept);
        PipeBarrier<PIPE_V>();
        GatherMask(dstIndex, words, 2, false, 0, GatherMaskParams(1, repeats * 2, 8, 0), kept);
    } else {
        GatherMask(dstValue, sorted, 1, false, 0, GatherMaskParams(1, repeats, 8, 0), kept);
        PipeBarrier<PIPE_V>();
        GatherMask(dstIndex, words, 2, false, 0, GatherMaskParams(1, repeats, 8, 0), kept);
    }
}
template <typename T>
void A2lintMergeFours(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t length, uint32_t groups);
template <typename T>
void A2lintMergeQueues(const LocalTensor<T> &dst, const LocalTensor<T> &src1, const LocalTensor<T> &src2,
                       const LocalTensor<T> &src3, const LocalTensor<T> &src4, uint32_t size1, uint32_t size2,
                       uint32_t size3, uint32_t size4);
template <typename T, bool isFullSort>
void Sort(const LocalTensor<T> &dst, const LocalTensor<T> &concat, const LocalTensor<uint32_t> &index,
          const LocalTensor<T> &tmp, const int32_t repeatTime)
{
    Sort32(dst, concat, index, repeatTime);
    if constexpr (isFullSort) {
        constexpr uint32_t width = 8 / sizeof(T);
        const uint32_t all = repeatTime * 32;
        PipeBarrier<PIPE_V>();
        DataCopy(tmp, dst, all * width);
        PipeBarrier<PIPE_V>();
        for (uint32_t length = 32; length < all; length *= 4) {
            const uint32_t step = length * width;
            const uint32_t groups = all / (4 * length);
            if (groups > 0) {
                A2lintMergeFours<T>(dst, tmp, length, groups);
            }
            PipeBarrier<PIPE_V>();
            const uint32_t done = groups * 4 * length;
            const uint32_t left = all - done;
            const uint32_t queues = (left + length - 1) / length;
            if (queues == 1) {
                DataCopy(dst[done * width], tmp[done * width], left * width);
            } else if (queues > 1) {
                const uint32_t first = done * width;
                const uint32_t second = left - length;
                const uint32_t third = queues > 2 ? second - length : 0;
                const uint32_t fourth = queues > 3 ? third - length : 0;
                A2lintMergeQueues<T>(dst[first], tmp[first], tmp[first + step],
                                     tmp[queues > 2 ? first + 2 * step : 0], tmp[queues > 3 ? first + 3 * step : 0],
                                     length, second < length ? second : length, third < length ? third : length,
                                     fourth < length ? fourth : length);
            }
            PipeBarrier<PIPE_V>();
            DataCopy(tmp, dst, all * width);
            PipeBarrier<PIPE_V>();
        }
    }
}
struct AscendCUtils {
    static void SetOverflow(uint64_t ctrlValue) {}
    template <typename T, bool isSetMask = true>
    static void SetMask(const uint64_t &maskHigh, const uint64_t &maskLow)
    {
        if constexpr (isSetMask) {
            SetVectorMask<T, MaskMode::NORMAL>(maskHigh, maskLow);
        }
    }
    template <typename T, bool isSetMask = true>
    static void SetMask(int32_t len)
    {
        if constexpr (isSetMask) {
            SetVectorMask<T, MaskMode::NORMAL>(len);
        }
    }
    template <bool isSetMask = true>
    static void ResetMask()
    {
        if constexpr (isSetMask) {
            ::AscendC::ResetMask();
        }
    }
    template <typename T>
    static void SetMaskCount()
    {
        ::AscendC::SetMaskCount();
    }
    template <typename T>
    static void SetMaskNorm()
    {
        ::AscendC::SetMaskNorm();
    }
};

// Makes every number of a tiling struct a parameter of the kernel.
template <typename T>
void A2lintFillTiling(T &data, GM_ADDR address);
// Whether the kernel is compiled for a tiling key.
bool A2lintTilingKeyIs(uint64_t key);

template <typename T, CacheLine entireType, DcciDst dcciDst>
void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst);
template <typename T, CacheLine entireType>
void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst);
template <typename... Args>
void printf(const char *format, Args &&...args);
template <typename... Args>
void PRINTF(const char *format, Args &&...args);
template <typename T>
void DumpTensor(const LocalTensor<T> &tensor, uint32_t desc, uint32_t dumpSize);
template <typename T>
void DumpTensor(const GlobalTensor<T> &tensor, uint32_t desc, uint32_t dumpSize);
} // namespace AscendC
// A function outside of the namespace, as kernels call it.
using AscendC::GetSysWorkSpacePtr;
namespace tik2 = AscendC;
namespace {
constexpr uint32_t TWO = 2;
constexpr uint32_t THREE = 3;
constexpr uint32_t FOUR = 4;
}

void SetFftsBaseAddr(uint64_t config);
void set_ffts_base_addr(uint64_t config);
void icache_preload(int64_t prefetchLen);
void set_mask_norm();
void set_mask_count();
void set_vector_mask(uint64_t maskHigh, uint64_t maskLow);
void set_atomic_none();
void set_atomic_add();
template <typename T>
constexpr T min(const T a, const T b)
{
    return b < a ? b : a;
}
template <typename T>
constexpr T max(const T a, const T b)
{
    return a < b ? b : a;
}
constexpr int64_t min(int64_t a, int64_t b)
{
    return b < a ? b : a;
}
constexpr int64_t max(int64_t a, int64_t b)
{
    return a < b ? b : a;
}

void set_flag(pipe_t src, pipe_t dst, int32_t eventID);
void wait_flag(pipe_t src, pipe_t dst, int32_t eventID);
void pipe_barrier(pipe_t pipe);
int64_t get_block_idx();
int64_t get_block_num();
int64_t get_subblockid();
void vcadd(__ubuf__ float *dst, __ubuf__ float *src, uint8_t repeat, uint16_t dstRepeatStride, uint16_t srcBlockStride,
           uint16_t srcRepeatStride, bool mode = false);
void vcadd(__ubuf__ half *dst, __ubuf__ half *src, uint8_t repeat, uint16_t dstRepeatStride, uint16_t srcBlockStride,
           uint16_t srcRepeatStride, bool mode = false);
float sqrt(float value);
float sqrtf(float value);

#define ASCEND_IS_AIV constexpr (::g_coreType == ::AscendC::AIV)
#define ASCEND_IS_AIC constexpr (::g_coreType == ::AscendC::AIC)
// The name of the type stays in what is compiled, but has no value.
#define KERNEL_TASK_TYPE_DEFAULT(type) (false ? (void)(type) : (void)0)
#define KERNEL_TASK_TYPE(key, type) (false ? (void)(type) : (void)0)
#define REGISTER_TILING_DEFAULT(type) using A2lintTilingData = type
#define REGISTER_TILING_FOR_TILINGKEY(expression, type) ((void)0)
#define REGISTER_NONE_TILING ((void)0)
#define ASSERT(...)
#define ASCENDC_ASSERT(...) ((void)0)
#define ascendc_assert(...) ((void)0)
#define assert(...) ((void)0)
#define INFINITY (3.402823466e+38F * 2.0F)
#define likely(condition) (!!(condition))
#define unlikely(condition) (!!(condition))
#define GET_TILING_DATA(variable, address)                                                                             \
    A2lintTilingData variable;                                                                                         \
    ::AscendC::A2lintFillTiling(variable, address)
#define GET_TILING_DATA_WITH_STRUCT(type, variable, address)                                                           \
    type variable;                                                                                                     \
    ::AscendC::A2lintFillTiling(variable, address)
#define __tiling_data_ptr__ const __gm__
#define GET_TILING_DATA_PTR_WITH_STRUCT(type, pointer, address)                                                        \
    const __gm__ type *pointer = reinterpret_cast<const __gm__ type *>(address)
#define GET_TILING_DATA_MEMBER(type, member, variable, address)                                                        \
    type A2lint##variable;                                                                                             \
    ::AscendC::A2lintFillTiling(A2lint##variable, address);                                                            \
    auto variable = A2lint##variable.member
#define TILING_KEY_IS(key) (::AscendC::A2lintTilingKeyIs(key))
#define TILING_KEY_LIST(key, other) (TILING_KEY_IS(key) || TILING_KEY_IS(other))
#define BEGIN_TILING_DATA_DEF(name) struct name {
#define TILING_DATA_FIELD_DEF(type, name)                                                                              \
    type name;                                                                                                         \
    void set_##name(type value) { name = value; }                                                                      \
    type get_##name() const { return name; }
#define TILING_DATA_FIELD_DEF_ARR(type, length, name)                                                                  \
    type name[length];                                                                                                 \
    const type *get_##name() const { return name; }
#define TILING_DATA_FIELD_DEF_STRUCT(type, name) type name;
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(operation, type)
#define ASCENDC_TPL_ARGS_DECL(...)
#define ASCENDC_TPL_SEL(...)
#define ASCENDC_TPL_SEL_PARAM(...) ((void)0)
#define ENABLE_DETERMINISTIC() ((void)0)
#define PRELOAD(length) ((void)0)
