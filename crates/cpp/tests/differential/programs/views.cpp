// Objects that are looked at as others: the bits of numbers, rows as one array, arrays by reference, and namespaces
struct Words { int a; unsigned b; float c; int d[2]; };
// that a directive finds beside a parameter of their name.
namespace tiling {
constexpr int rows = 4;
namespace inner {
constexpr int columns = 16;
}
} // namespace tiling
namespace shape = tiling::inner;

int area(int tiling)
{
    using namespace tiling;
    using namespace shape;
    return rows * columns + tiling;
}

struct Outer {
    int tiling = 3;
    int area() const
    {
        using namespace tiling;
        using namespace shape;
        return rows * columns * tiling;
    }
};

template <int N, class T = int>
struct Coord {
    T at[N];
    explicit Coord(T all = T(0))
    {
        for (int i = 0; i < N; ++i) {
            at[i] = all;
        }
    }
    Coord(T const (&all)[N])
    {
        for (int i = 0; i < N; ++i) {
            at[i] = all[i] + 1;
        }
    }
};

template <class T, int N>
int count(const T (&)[N])
{
    return N;
}
int which(int (&)[2]) { return 1; }
int which(const int (&)[2]) { return 2; }

int low(long long value) { return *reinterpret_cast<short *>(&value); }
int lowest(int value) { return *(signed char *)&value; }
int unsigned_low(int value) { return *(unsigned short *)&value; }
unsigned bits(float value) { return *(unsigned *)&value; }
float number(int value) { return *reinterpret_cast<float *>(&value); }

struct Shapes {
    long all[2][4];
    void init(int by)
    {
        for (int i = 0; i < 8; ++i) {
            ((long *)this->all)[i] = by * i;
        }
    }
    long sum() const
    {
        const long *at = &all[0][0];
        long total = 0;
        for (int i = 0; i < 8; ++i) {
            total += at[i] * (i + 1);
        }
        return total;
    }
};

void program()
{
    out("area", area(in(0)));
    out("member", Outer().area());

    int pair[2] = {in(1), 64};
    const int fixed[2] = {5, 6};
    Coord<2> one(pair), two(fixed);
    out("one", one.at[0] * 100 + one.at[1]);
    out("two", two.at[0] * 100 + two.at[1]);
    out("count", count(pair) + count(fixed));
    out("which", which(pair) * 10 + which(fixed));

    out("low", low(0x12345));
    out("low_of_input", low(in(2) * 70000LL));
    out("lowest", lowest(in(3) * 1000));
    out("unsigned", unsigned_low(in(3)));
    out("bits", bits(2.5f));
    out("number", number(0x40490fdb) > 3.14f);
    int seen = in(0);
    reinterpret_cast<unsigned &>(seen) >>= 1;
    out("stored", in(0) < 0 ? 0 : seen);
    int word = in(1);
    (unsigned &)word += 7u;
    out("added", word);

    Shapes shapes;
    shapes.init(in(2));
    out("rows", shapes.all[1][1]);
    out("last", shapes.all[1][3]);
    out("sum", shapes.sum());
    long *second = (long *)shapes.all + 4;
    out("second", *second + second[-1]);
    // An object word by word.
    Words from{in(0), 7u + (unsigned)in(1), 1.5f, {in(2), -3}}, to{};
    const int *words = reinterpret_cast<const int *>(&from);
    int *there = reinterpret_cast<int *>(&to);
    for (size_t at = 0; at < sizeof(Words) / sizeof(int); ++at) { there[at] = words[at]; }
    out("words", to.a + (int)to.b * 10 + to.d[0] * 100 + to.d[1]);
    out("float_word", to.c);
    *there = 9; there[1] = -1;
    out("first_words", to.a + (to.b == 0xffffffffu));
}
