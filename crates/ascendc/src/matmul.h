// Matmul objects: their settings are plain members, and `IterateAll` is one product of matrices in global memory. On a
// vec core an object sends messages to the cube of its core, which serves them after `REGIST_MATMUL_OBJ`.

struct TCubeTiling {
    int32_t usedCoreNum;
    int32_t M;
    int32_t N;
    int32_t Ka;
    int32_t Kb;
    int32_t singleCoreM;
    int32_t singleCoreN;
    int32_t singleCoreK;
    int32_t baseM;
    int32_t baseN;
    int32_t baseK;
    int32_t depthA1;
    int32_t depthB1;
    int32_t stepM;
    int32_t stepN;
    int32_t isBias;
    int32_t transLength;
    int32_t iterateOrder;
    int32_t shareMode;
    int32_t shareL1Size;
    int32_t shareL0CSize;
    int32_t shareUbSize;
    int32_t batchM;
    int32_t batchN;
    int32_t singleBatchM;
    int32_t singleBatchN;
    int32_t stepKa;
    int32_t stepKb;
    int32_t depthAL1CacheUB;
    int32_t depthBL1CacheUB;
    int32_t dbL0A;
    int32_t dbL0B;
    int32_t dbL0C;
    int32_t ALayoutInfoB;
    int32_t ALayoutInfoS;
    int32_t ALayoutInfoN;
    int32_t ALayoutInfoG;
    int32_t ALayoutInfoD;
    int32_t BLayoutInfoB;
    int32_t BLayoutInfoS;
    int32_t BLayoutInfoN;
    int32_t BLayoutInfoG;
    int32_t BLayoutInfoD;
    int32_t CLayoutInfoB;
    int32_t CLayoutInfoS1;
    int32_t CLayoutInfoN;
    int32_t CLayoutInfoG;
    int32_t CLayoutInfoS2;
    int32_t BatchNum;
    int32_t mxTypePara;
};

// A member of tiling structs for `SoftMax` and related functions, which are not modelled.
struct SoftMaxTiling {
    uint32_t srcM;
    uint32_t srcK;
    uint32_t srcSize;
    uint32_t outMaxM;
    uint32_t outMaxK;
    uint32_t outMaxSize;
    uint32_t splitM;
    uint32_t splitK;
    uint32_t splitSize;
    uint32_t reduceM;
    uint32_t reduceK;
    uint32_t reduceSize;
    uint32_t rangeM;
    uint32_t tailM;
};

// Types and functions of configurations are in no namespace.
enum class CubeFormat { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, ROW_MAJOR = ND, COLUMN_MAJOR = 8 };
enum class LayoutMode { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };
enum class IterateOrder { ORDER_M, ORDER_N, UNDEF };
enum class BatchMode { NONE, BATCH_LESS_THAN_L1, BATCH_LARGE_THAN_L1, SINGLE_LARGE_THAN_L1 };
enum BatchOutMode { SINGLE_BATCH, MULTI_BATCH, DYNAMIC };
enum IterateMode : uint8_t {
    ITERATE_MODE_NORMAL = 0b00000001,
    ITERATE_MODE_ALL = 0b00000010,
    ITERATE_MODE_BATCH = 0b00000100,
    ITERATE_MODE_N_BATCH = 0b00001000,
    ITERATE_MODE_DEFAULT = 0b11111111
};
enum class ScheduleType { INNER_PRODUCT, OUTER_PRODUCT };

struct MatmulConfig {
    bool doNorm = false;
    bool doBasicBlock = false;
    bool doMultiDataLoad = false;
    uint32_t basicM = 0;
    uint32_t basicN = 0;
    uint32_t basicK = 0;
    bool intrinsicsCheck = false;
    bool isNBatch = false;
    bool enVecND2NZ = false;
    bool doSpecialBasicBlock = false;
    uint32_t doMTE2Preload = 0;
    uint32_t singleCoreM = 0;
    uint32_t singleCoreN = 0;
    uint32_t singleCoreK = 0;
    uint32_t stepM = 0;
    uint32_t stepN = 0;
    uint32_t baseMN = 0;
    uint32_t singleCoreMN = 0;
    bool enUnitFlag = true;
    bool isPerTensor = false;
    bool hasAntiQuantOffset = false;
    bool doIBShareNorm = false;
    bool doSpecialMDL = false;
    bool enableInit = true;
    BatchMode batchMode = BatchMode::NONE;
    bool enableEnd = true;
    bool enableGetTensorC = true;
    bool enableSetOrgShape = true;
    bool enableSetBias = true;
    bool enableSetTail = true;
    bool enableQuantVector = true;
    bool enableSetDefineData = true;
    uint8_t iterateMode = IterateMode::ITERATE_MODE_DEFAULT;
    bool enableReuse = true;
    bool enableUBReuse = true;
    bool enableL1CacheUB = false;
    bool intraBlockPartSum = false;
    IterateOrder iterateOrder = IterateOrder::UNDEF;
    ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
    bool enableDoubleCache = false;
    bool isBiasBatch = true;
    bool enableStaticPadZeros = false;
    bool isPartialOutput = false;
    bool enableMixDualMaster = false;
    bool isA2B2Shared = false;
    bool isEnableChannelSplit = false;
    bool enableKdimReorderLoad = false;
    bool isCO1Shared = false;
    uint32_t sharedCO1BufferSize = 65536;
    BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
    bool enableL1BankConflictOptimise = false;
    bool enableRelu = false;
};

constexpr MatmulConfig GetNormalConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                       const bool isVecND2NZ = false,
                                       const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                       const bool isMsgReuse = true,
                                       const IterateOrder iterateOrder = IterateOrder::UNDEF,
                                       const ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
                                       const bool enUnitFlag = true, const bool enableMixDualMaster = false,
                                       const BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH)
{
    MatmulConfig config;
    config.batchMode = bmmMode;
    config.enableReuse = isMsgReuse;
    config.doNorm = true;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.enVecND2NZ = isVecND2NZ;
    config.iterateOrder = iterateOrder;
    config.scheduleType = scheduleType;
    config.enUnitFlag = enUnitFlag;
    config.enableMixDualMaster = enableMixDualMaster;
    config.bmmOutMode = bmmOutMode;
    return config;
}
constexpr MatmulConfig GetMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                    const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false,
                                    const bool isPerTensor = false, const bool hasAntiQuantOffset = false,
                                    const bool enUnitFlag = false, const bool isMsgReuse = true,
                                    const bool enableUBReuse = true, const bool enableL1CacheUB = false,
                                    const bool enableMixDualMaster = false, const bool enableKdimReorderLoad = false,
                                    const bool enableL1BankConflictOptimise = false)
{
    MatmulConfig config;
    config.isPerTensor = isPerTensor;
    config.hasAntiQuantOffset = hasAntiQuantOffset;
    config.enUnitFlag = enUnitFlag;
    config.doMultiDataLoad = true;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.enVecND2NZ = isVecND2NZ;
    config.doMTE2Preload = doMTE2Preload;
    config.enableReuse = isMsgReuse;
    config.enableUBReuse = enableUBReuse;
    config.enableL1CacheUB = enableL1CacheUB;
    config.enableMixDualMaster = enableMixDualMaster;
    config.enableKdimReorderLoad = enableKdimReorderLoad;
    config.enableL1BankConflictOptimise = enableL1BankConflictOptimise;
    return config;
}
constexpr MatmulConfig GetSpecialMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                           const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false,
                                           const bool isPerTensor = false, const bool hasAntiQuantOffset = false)
{
    MatmulConfig config = GetMDLConfig(intrinsicsLimit, batchLoop, doMTE2Preload, isVecND2NZ, isPerTensor,
                                       hasAntiQuantOffset);
    config.doMultiDataLoad = false;
    config.doSpecialMDL = true;
    return config;
}
constexpr MatmulConfig GetBasicConfig(const uint32_t basicM, const uint32_t basicN, const uint32_t basicK,
                                      const bool intrinsicsLimit = false, const bool batchLoop = false,
                                      const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1)
{
    MatmulConfig config;
    config.doBasicBlock = true;
    config.basicM = basicM;
    config.basicN = basicN;
    config.basicK = basicK;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.batchMode = bmmMode;
    config.enUnitFlag = false;
    return config;
}
constexpr MatmulConfig GetIBShareNormConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                            const bool isVecND2NZ = false,
                                            const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                            const bool isDoubleCache = false, const bool enUnitFlag = true)
{
    MatmulConfig config;
    config.doIBShareNorm = true;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.enVecND2NZ = isVecND2NZ;
    config.batchMode = bmmMode;
    config.enableDoubleCache = isDoubleCache;
    config.enUnitFlag = enUnitFlag;
    return config;
}
constexpr MatmulConfig CFG_NORM = GetNormalConfig();
constexpr MatmulConfig CFG_MDL = GetMDLConfig();
constexpr MatmulConfig CFG_IBSHARE_NORM = GetIBShareNormConfig();
constexpr MatmulConfig MM_CFG_BB = GetBasicConfig(128, 128, 128);

namespace AscendC {
namespace tiling {
using SoftMaxTiling = ::SoftMaxTiling;
using TCubeTiling = ::TCubeTiling;
}

template <TPosition POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false>
struct MatmulType {
    constexpr static TPosition pos = POSITION;
    constexpr static CubeFormat format = FORMAT;
    using T = TYPE;
    constexpr static bool isTrans = ISTRANS;
    constexpr static LayoutMode layout = LAYOUT;
    constexpr static bool ibShare = IBSHARE;
};

// Callbacks of the kernel that move data for the object.
template <auto OUT = nullptr, auto A1 = nullptr, auto B1 = nullptr>
struct MatmulCallBackFunc {
    constexpr static bool isPlain = OUT == nullptr && A1 == nullptr && B1 == nullptr;
};

// The parameters of a product.
struct A2lintProduct {
    int32_t m = 0;
    int32_t n = 0;
    int32_t k = 0;
    int32_t pitchA = 0;
    int32_t pitchB = 0;
    int32_t pitchC = 0;
    bool transposesA = false;
    bool transposesB = false;
    bool hasBias = false;
    uint8_t atomic = 0;
    // Whether an operand is outside of global memory, and whether an operand is not row-major.
    bool isElsewhere = false;
    bool isLaidOut = false;
    // Whether the object uses another feature that is not modelled.
    bool isSpecial = false;
    // Whether the result goes on from the sums of an earlier product.
    bool isPartial = false;
    // Whether the result is a block, and whether something else happened since `Iterate` computed it.
    bool isBlock = false;
    bool isLater = false;
};
template <typename C, typename A, typename B, typename S>
void A2lintMultiply(const GlobalTensor<C> &c, const GlobalTensor<A> &a, const GlobalTensor<B> &b,
                    const GlobalTensor<S> &bias, const A2lintProduct &product);
// A number that grows with each instruction that stores to global memory or meets another core.
int32_t A2lintPlace();
// A tensor that receives a block in a way that is not modelled.
template <typename T>
void A2lintReceive(const LocalTensor<T> &c);
// A tensor in which the library keeps what it works with.
template <typename T>
void A2lintBorrow(const LocalTensor<T> &tmp);
// Sets `gm` to memory of the library through which blocks go to UB, of which each vec core has its own.
template <typename T>
void A2lintPassage(GlobalTensor<T> &gm);

constexpr bool A2lintIsUb(TPosition position)
{
    return position == TPosition::VECIN || position == TPosition::VECOUT || position == TPosition::VECCALC;
}

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto &MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>, class... POLICIES>
class MatmulImpl {
public:
    using SrcAT = typename A_TYPE::T;
    using SrcBT = typename B_TYPE::T;
    using DstT = typename C_TYPE::T;
    using BiasT = typename BIAS_TYPE::T;

    void A2lintStart(TPipe *pipe)
    {
        if (::g_coreType == KernelCoreType::AIV) {
            event_ = pipe->AllocEventID<HardEvent::MTE3_S>();
            if constexpr (A2lintIsUb(C_TYPE::pos)) {
                passed_ = pipe->AllocEventID<HardEvent::MTE2_MTE3>();
            }
        }
    }
    void Init(const TCubeTiling *tiling, TPipe *pipe = nullptr)
    {
        orgM_ = tiling->M;
        orgN_ = tiling->N;
        orgKa_ = tiling->Ka;
        orgKb_ = tiling->Kb;
        orgKc_ = tiling->N;
        m_ = tiling->singleCoreM;
        n_ = tiling->singleCoreN;
        k_ = tiling->singleCoreK;
        baseM_ = tiling->baseM;
        baseN_ = tiling->baseN;
        stepM_ = tiling->stepM;
        stepN_ = tiling->stepN;
        isOrderN_ = MM_CFG.iterateOrder == IterateOrder::UNDEF ? tiling->iterateOrder != 0
                                                               : MM_CFG.iterateOrder == IterateOrder::ORDER_N;
    }
    void SetOrgShape(int orgM, int orgN, int orgK) { SetOrgShape(orgM, orgN, orgK, orgK, orgN); }
    void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0)
    {
        orgM_ = orgM;
        orgN_ = orgN;
        orgKa_ = orgKa;
        orgKb_ = orgKb;
        orgKc_ = orgKc == 0 ? orgN : orgKc;
        place_ = -1;
    }
    void SetSingleShape(int singleM, int singleN, int singleK) { SetTail(singleM, singleN, singleK); }
    void SetTail(int tailM = -1, int tailN = -1, int tailK = -1)
    {
        if (tailM != -1) {
            m_ = tailM;
        }
        if (tailN != -1) {
            n_ = tailN;
        }
        if (tailK != -1) {
            k_ = tailK;
        }
        place_ = -1;
    }
    void SetTensorA(const GlobalTensor<SrcAT> &gm, bool isTransposeA = false)
    {
        a_ = gm;
        transposesA_ = isTransposeA;
        isLocalA_ = false;
        A2lintRestart();
    }
    void SetTensorB(const GlobalTensor<SrcBT> &gm, bool isTransposeB = false)
    {
        b_ = gm;
        transposesB_ = isTransposeB;
        isLocalB_ = false;
        A2lintRestart();
    }
    void SetBias(const GlobalTensor<BiasT> &biasGlobal)
    {
        bias_ = biasGlobal;
        hasBias_ = true;
        isOldBias_ = false;
        isLocalBias_ = false;
        A2lintRestart();
    }
    void SetTensorA(const LocalTensor<SrcAT> &leftMatrix, bool isTransposeA = false)
    {
        isLocalA_ = true;
        A2lintRestart();
    }
    void SetTensorB(const LocalTensor<SrcBT> &rightMatrix, bool isTransposeB = false)
    {
        isLocalB_ = true;
        A2lintRestart();
    }
    void SetBias(const LocalTensor<BiasT> &inputBias)
    {
        isLocalBias_ = true;
        A2lintRestart();
    }
    void ClearBias() { DisableBias(); }
    void DisableBias()
    {
        hasBias_ = false;
        isLocalBias_ = false;
    }
    void SetHF32(bool enableHF32 = false, int32_t transMode = 0) { isFast_ = enableHF32; }
    void SetQuantScalar(const uint64_t quantScalar) { isQuantised_ = true; }
    void SetQuantVector(const GlobalTensor<uint64_t> &quantTensor) { isQuantised_ = true; }
    void SetSubBlockIdx(uint8_t subBlockIdx) {}
    void SetLocalWorkspace(const LocalTensor<uint8_t> &tmpBuffer) { A2lintBorrow(tmpBuffer); }
    void SetSelfDefineData(const uint64_t dataPtr) {}
    void SetUserDefInfo(const uint64_t tilingPtr) {}
    // The memory in which blocks wait that are computed asynchronously, for vec cores.
    template <class T>
    void SetWorkspace(const GlobalTensor<T> &addr)
    {
        cache_.SetGlobalBuffer((__gm__ DstT *)addr.GetPhyAddr());
    }
    template <class T>
    void SetWorkspace(__gm__ const T *addr, int size)
    {
        cache_.SetGlobalBuffer((__gm__ DstT *)addr);
    }
    template <bool sync = true>
    void IterateAll(const GlobalTensor<DstT> &gm, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                    bool waitIterateAll = false, bool fakeMsg = false)
    {
        const bool isVec = ::g_coreType == KernelCoreType::AIV;
        isFake_ = fakeMsg;
        isPartial_ = false;
        if (isVec) {
            // MTE3 sends the message after all earlier stores.
            PipeBarrier<PIPE_MTE3>();
        }
        if (enSequentialWrite) {
            A2lintStoreBlocks(gm, enAtomic);
        } else {
            A2lintProduct product;
            product.m = m_;
            product.n = n_;
            product.pitchC = orgKc_;
            A2lintStore(gm, a_, b_, bias_, product, enAtomic);
        }
        if (isVec && (sync || waitIterateAll)) {
            SetFlag<HardEvent::MTE3_S>(event_);
            if constexpr (sync) {
                WaitFlag<HardEvent::MTE3_S>(event_);
            }
        }
        isOldBias_ = true;
    }
    template <bool sync = true>
    bool Iterate(bool enPartialSum = false)
    {
        ++block_;
        isPartial_ = enPartialSum;
        isFake_ = false;
        // On a cube, `sync` has no effect.
        if (::g_coreType == KernelCoreType::AIV) {
            isAsync_ = !sync;
            if constexpr (!sync) {
                if (block_ == 0) {
                    PipeBarrier<PIPE_MTE3>();
                    A2lintStoreBlocks(cache_, 0);
                    SetFlag<HardEvent::MTE3_S>(event_);
                    taken_ = 0;
                }
            }
        }
        place_ = A2lintPlace();
        return block_ == 0 || block_ < A2lintCount(m_, baseM_) * A2lintCount(n_, baseN_);
    }
    // The block of the last `Iterate`.
    template <bool sync = true>
    void GetTensorC(const GlobalTensor<DstT> &gm, uint8_t enAtomic = 0, bool enSequentialWrite = false)
    {
        const bool isVec = ::g_coreType == KernelCoreType::AIV;
        const bool isLater = place_ != A2lintPlace() || isAsync_;
        if (isVec) {
            PipeBarrier<PIPE_MTE3>();
        }
        A2lintStoreBlock(gm, block_, enAtomic, enSequentialWrite, isLater);
        if (isVec && sync) {
            SetFlag<HardEvent::MTE3_S>(event_);
            WaitFlag<HardEvent::MTE3_S>(event_);
        }
        place_ = -1;
    }
    template <bool sync = true, bool doPad = false>
    void GetTensorC(const LocalTensor<DstT> &c, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                    uint32_t height = 0, uint32_t width = 0, uint32_t srcGap = 0, uint32_t dstGap = 0)
    {
        if (doPad || C_TYPE::format != CubeFormat::ND) {
            A2lintReceive(c);
        } else if (isAsync_) {
            A2lintAwaitBlock();
            A2lintFetch(c, cache_[taken_ * (baseM_ * baseN_)]);
            ++taken_;
        } else if constexpr (::g_coreType == KernelCoreType::AIV && A2lintIsUb(C_TYPE::pos)) {
            const bool isLater = place_ != A2lintPlace();
            GlobalTensor<DstT> passage;
            A2lintPassage(passage);
            // The block before this one has left the passage.
            SetFlag<HardEvent::MTE2_MTE3>(passed_);
            WaitFlag<HardEvent::MTE2_MTE3>(passed_);
            PipeBarrier<PIPE_MTE3>();
            A2lintStoreBlock(passage, block_, 0, enSequentialWrite, isLater);
            SetFlag<HardEvent::MTE3_S>(event_);
            WaitFlag<HardEvent::MTE3_S>(event_);
            A2lintFetch(c, passage);
            place_ = -1;
        } else {
            A2lintReceive(c);
        }
    }
    template <bool sync = true>
    void GetTensorC(const GlobalTensor<DstT> &gm, const LocalTensor<DstT> &co2Local, uint8_t enAtomic = 0,
                    bool enSequentialWrite = false)
    {
        GetTensorC<sync>(gm, enAtomic, enSequentialWrite);
        A2lintFetch(co2Local, gm);
    }
    template <bool sync = true>
    GlobalTensor<DstT> GetTensorC(uint8_t enAtomic = 0, bool enSequentialWrite = false)
    {
        A2lintAwaitBlock();
        GlobalTensor<DstT> block;
        block.SetGlobalBuffer((__gm__ DstT *)cache_[taken_ * (baseM_ * baseN_)].GetPhyAddr(), baseM_ * baseN_);
        ++taken_;
        return block;
    }
    void AsyncGetTensorC(const LocalTensor<DstT> &c) { GetTensorC<false>(c); }
    void WaitGetTensorC()
    {
        const auto id = GetTPipePtr()->FetchEventID(HardEvent::MTE2_V);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
    }
    void WaitIterateAll()
    {
        if (::g_coreType == KernelCoreType::AIV) {
            WaitFlag<HardEvent::MTE3_S>(event_);
        }
    }
    void End() {}

private:
    void A2lintRestart()
    {
        block_ = -1;
        place_ = -1;
    }
    static int32_t A2lintCount(int32_t all, int32_t part) { return (all + part - 1) / part; }
    // Stores a product whose extents, places and pitch of the result are given.
    void A2lintStore(const GlobalTensor<DstT> &c, const GlobalTensor<SrcAT> &a, const GlobalTensor<SrcBT> &b,
                     const GlobalTensor<BiasT> &bias, A2lintProduct product, uint8_t enAtomic)
    {
        product.k = k_;
        product.pitchA = transposesA_ ? orgM_ : orgKa_;
        product.pitchB = transposesB_ ? orgKb_ : orgN_;
        product.transposesA = transposesA_;
        product.transposesB = transposesB_;
        product.hasBias = hasBias_;
        product.atomic = enAtomic;
        product.isElsewhere = A_TYPE::pos != TPosition::GM || B_TYPE::pos != TPosition::GM ||
                              (C_TYPE::pos != TPosition::GM && !A2lintIsUb(C_TYPE::pos)) || isLocalA_ || isLocalB_ ||
                              isLocalBias_;
        product.isLaidOut = (A_TYPE::format != CubeFormat::ND && A_TYPE::format != CubeFormat::VECTOR) ||
                            B_TYPE::format != CubeFormat::ND || C_TYPE::format != CubeFormat::ND ||
                            A_TYPE::layout != LayoutMode::NONE;
        product.isSpecial = product.isSpecial || isQuantised_ || (hasBias_ && isOldBias_) ||
                            (A_TYPE::ibShare && B_TYPE::ibShare) || (isFast_ && sizeof(SrcAT) == 4) ||
                            !MM_CB::isPlain || MM_CFG.enableMixDualMaster || MM_CFG.enableRelu || isFake_;
        product.isPartial = isPartial_;
        A2lintMultiply(c, a, b, bias, product);
    }
    // Stores all blocks one after the other.
    void A2lintStoreBlocks(const GlobalTensor<DstT> &c, uint8_t enAtomic)
    {
        const int32_t blocks = A2lintCount(m_, baseM_) * A2lintCount(n_, baseN_);
        for (int32_t at = 0; at < blocks; ++at) {
            A2lintStoreBlock(c[at * (baseM_ * baseN_)], at, enAtomic, true, false);
        }
    }
    // Stores a block: at its place in the result, or else (`isAlone`) its rows without gaps at the start of `c`.
    void A2lintStoreBlock(const GlobalTensor<DstT> &c, int32_t block, uint8_t enAtomic, bool isAlone, bool isLater)
    {
        int32_t row = 0;
        int32_t column = 0;
        if (block != 0) {
            A2lintLocate(block, row, column);
        }
        row *= baseM_;
        column *= baseN_;
        A2lintProduct product;
        product.m = m_ - row < baseM_ ? m_ - row : baseM_;
        product.n = n_ - column < baseN_ ? n_ - column : baseN_;
        product.pitchC = isAlone ? product.n : orgKc_;
        product.isBlock = true;
        product.isLater = isLater;
        product.isSpecial = MM_CFG.doSpecialMDL || MM_CFG.doSpecialBasicBlock || MM_CFG.intraBlockPartSum ||
                            MM_CFG.scheduleType == ScheduleType::OUTER_PRODUCT || MM_CFG.isPartialOutput ||
                            (MM_CFG.singleCoreM != 0 && !MM_CFG.enableSetTail);
        A2lintStore(isAlone ? c : c[row * orgKc_ + column], a_[transposesA_ ? row : row * orgKa_],
                    b_[transposesB_ ? column * orgKb_ : column], hasBias_ ? bias_[column] : bias_, product, enAtomic);
    }
    // Finds the place of a block. Blocks of a group of `stepN` columns (`stepM` rows) come one after the other, in each
    // of its rows (columns).
    void A2lintLocate(int32_t block, int32_t &row, int32_t &column)
    {
        const int32_t across = isOrderN_ ? A2lintCount(m_, baseM_) : A2lintCount(n_, baseN_);
        const int32_t down = isOrderN_ ? A2lintCount(n_, baseN_) : A2lintCount(m_, baseM_);
        const int32_t step = isOrderN_ ? stepM_ : stepN_;
        const int32_t first = block / (down * step) * step;
        const int32_t width = across - first < step ? across - first : step;
        const int32_t rest = block - first * down;
        const int32_t inner = first + rest % width;
        const int32_t outer = rest / width;
        row = isOrderN_ ? inner : outer;
        column = isOrderN_ ? outer : inner;
    }
    void A2lintAwaitBlock()
    {
        // The first wait is for all blocks.
        if (taken_ == 0) {
            WaitFlag<HardEvent::MTE3_S>(event_);
        }
    }
    void A2lintFetch(const LocalTensor<DstT> &c, const GlobalTensor<DstT> &gm)
    {
        DataCopy(c, gm, c.GetSize());
        WaitGetTensorC();
    }
    GlobalTensor<SrcAT> a_;
    GlobalTensor<SrcBT> b_;
    GlobalTensor<BiasT> bias_;
    int32_t orgM_ = 0;
    int32_t orgN_ = 0;
    int32_t orgKa_ = 0;
    int32_t orgKb_ = 0;
    int32_t orgKc_ = 0;
    int32_t m_ = 0;
    int32_t n_ = 0;
    int32_t k_ = 0;
    bool transposesA_ = false;
    bool transposesB_ = false;
    bool hasBias_ = false;
    bool isOldBias_ = false;
    bool isLocalA_ = false;
    bool isLocalB_ = false;
    bool isLocalBias_ = false;
    bool isFast_ = false;
    bool isQuantised_ = false;
    bool isFake_ = false;
    bool isPartial_ = false;
    int32_t event_ = 0;
    int32_t passed_ = 0;
    int32_t baseM_ = 0;
    int32_t baseN_ = 0;
    int32_t stepM_ = 0;
    int32_t stepN_ = 0;
    bool isOrderN_ = false;
    // The number of the block of the last `Iterate`, and where it was called.
    int32_t block_ = -1;
    int32_t place_ = -1;
    // Whether blocks are computed asynchronously, into `cache_`, and how many have been fetched.
    bool isAsync_ = false;
    int32_t taken_ = 0;
    GlobalTensor<DstT> cache_;
};
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto &MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>, class... POLICIES>
using Matmul = MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, POLICIES...>;

template <class T>
void A2lintRegister(TPipe *pipe, T &object)
{
    object.A2lintStart(pipe);
}
// A pointer after an object is its tiling; objects may also follow each other, and have their `Init` called later.
template <class T, class U, class... Args>
void A2lintRegister(TPipe *pipe, T &object, U &&next, Args &&...rest)
{
    object.A2lintStart(pipe);
    if constexpr (::std::is_pointer_v<::std::remove_reference_t<U>>) {
        object.Init((const TCubeTiling *)next, pipe);
        if constexpr (sizeof...(rest) > 0) {
            A2lintRegister(pipe, rest...);
        }
    } else {
        A2lintRegister(pipe, next, rest...);
    }
}
} // namespace AscendC

// The name is one for `AscendC`. It stays a namespace here, so that kernels may have one of this name.
namespace matmul {
using namespace AscendC;
} // namespace matmul

// A kernel that requests the cube alone runs the objects on the cube; otherwise the cube only serves the objects of its
// vec cores.
constexpr bool A2lintServes_ASCENDC_CUBE_ONLY = true;
constexpr bool A2lintServes_ = false;
constexpr bool A2lintServes_1 = false;
#define A2LINT_JOINED(left, right) left##right
#define A2LINT_JOIN(left, right) A2LINT_JOINED(left, right)
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                                                                       \
    if constexpr (::g_coreType == ::AscendC::AIC && ::A2LINT_JOIN(A2lintServes_, ASCENDC_CUBE_ONLY)) {                 \
        return;                                                                                                        \
    }                                                                                                                  \
    ::AscendC::A2lintRegister(tpipe, __VA_ARGS__)
