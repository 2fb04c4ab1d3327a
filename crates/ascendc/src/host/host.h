namespace std {
struct string {
    string() {}
    string(const char *) {}
    const char *c_str() const { return ""; }
    const char *data() const { return ""; }
    string &operator+=(const string &) { return *this; }
    string &operator=(const char *) { return *this; }
    string &append(const string &) { return *this; }
};
inline string operator+(const string &, const string &) { return string(); }
inline string operator+(const string &, const char *) { return string(); }
inline string operator+(const char *, const string &) { return string(); }
template <typename T> string to_string(const T &) { return string(); }
struct ostream {
    template <typename T> ostream &operator<<(const T &) { return *this; }
};
extern ostream cout, cerr, clog;
constexpr char endl = '\n';
constexpr char flush = '\n';
void *memcpy(void *to, const void *from, unsigned long bytes);
void *memset(void *to, int value, unsigned long bytes);
void *malloc(unsigned long bytes);
}
namespace testing {
struct Test {
    virtual void SetUp() {}
    virtual void TearDown() {}
    static void SetUpTestCase() {}
    static void TearDownTestCase() {}
    static void SetUpTestSuite() {}
    static void TearDownTestSuite() {}
};
template <typename T> struct TestWithParam : Test {
    const T &GetParam() const;
};
struct Sink {
    template <typename T> Sink &operator<<(const T &) { return *this; }
};
template <typename... Ts> Sink A2lintSink(const Ts &...) { return Sink(); }
}
namespace AscendC {
enum class KernelMode { MIX_MODE, AIC_MODE, AIV_MODE, AIV_1, AIC_1 };
inline void SetKernelMode(KernelMode) {}
void *GmAlloc(unsigned long bytes);
inline void GmFree(const void *) {}
}
using AscendC::KernelMode;
void A2lintBlocks(unsigned long blocks);
void A2lintKey(unsigned long key);
void *memcpy(void *to, const void *from, unsigned long bytes);
int memcpy_s(void *to, unsigned long most, const void *from, unsigned long bytes);
void *memset(void *to, int value, unsigned long bytes);
int memset_s(void *to, unsigned long most, int value, unsigned long bytes);
void *malloc(unsigned long bytes);
inline void free(const void *) {}
int aclrtMalloc(void **to, unsigned long bytes, int policy);
int aclrtMallocHost(void **to, unsigned long bytes);
int aclrtMemcpy(void *to, unsigned long most, const void *from, unsigned long bytes, int kind);
int aclrtMemset(void *to, unsigned long most, int value, unsigned long bytes);
inline int aclrtFree(const void *) { return 0; }
inline int aclrtFreeHost(const void *) { return 0; }
inline int aclInit(const char *) { return 0; }
inline int aclrtSetDevice(int) { return 0; }
inline int aclFinalize() { return 0; }
inline int system(const char *) { return 0; }
inline int chmod(const char *, int) { return 0; }
constexpr int ACL_MEM_MALLOC_HUGE_FIRST = 0;
constexpr int ACL_MEM_MALLOC_HUGE_ONLY = 1;
constexpr int ACL_MEM_MALLOC_NORMAL_ONLY = 2;
constexpr int ACL_MEMCPY_HOST_TO_HOST = 0;
constexpr int ACL_MEMCPY_HOST_TO_DEVICE = 1;
constexpr int ACL_MEMCPY_DEVICE_TO_HOST = 2;
constexpr int ACL_MEMCPY_DEVICE_TO_DEVICE = 3;
