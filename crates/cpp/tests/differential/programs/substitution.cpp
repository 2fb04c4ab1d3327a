template <typename T, typename = void> struct Width { static constexpr int v = 1; };
template <typename T> struct Width<T, std::enable_if_t<sizeof(T) == 2>> { static constexpr int v = 2; };
template <typename T> struct Width<T, std::enable_if_t<sizeof(T) == 8>> { static constexpr int v = 8; };
template <typename T, typename = void> struct HasLen : std::false_type {};
template <typename T> struct HasLen<T, std::void_t<decltype(T::kLen)>> : std::true_type {};
template <typename T, typename = void> struct HasKind : std::false_type {};
template <typename T> struct HasKind<T, std::void_t<typename T::Kind>> : std::true_type {};
template <class T> using Void = void;
template <class T, class E = void> struct Any { static constexpr int v = 0; };
template <class T> struct Any<T, Void<T>> { static constexpr int v = 5; };
template <bool B> using On = std::enable_if_t<B, void>;
template <class T, class E = void> struct Small { static constexpr int v = 0; };
template <class T> struct Small<T, On<sizeof(T) <= 2>> { static constexpr int v = 3; };
template <class T, int N> struct Row { T data[N]; };
template <class T, int N = 4> using Rows = Row<T, N>;
template <int N, class T> using Turned = Row<T, N>;
template <class... Ts> struct List {};
template <class... Ts> using Listed = List<Ts...>;
template <class T> struct Of { static constexpr int v = 0; };
template <class T> struct Of<Rows<T>> { static constexpr int v = sizeof(T); };
template <class T> struct Of<Turned<7, T>> { static constexpr int v = 100 + sizeof(T); };
template <class... Ts> struct Of<Listed<char, Ts...>> { static constexpr int v = 200 + sizeof...(Ts); };
template <class T, int N> int count(const Turned<N, T> &row) { return N * (int)sizeof(row.data[0]); }
struct P { static constexpr int kLen = 4; using Kind = int; int n = 3; };
struct Q { int n = 9; int sum(int k) { return n + k; } };
template <class T, class = decltype(std::declval<T>().sum(1))> int asked(T &t, int) { return t.sum(10); }
template <class T> int asked(T &t, long) { return t.n; }
unsigned take(unsigned &&) { return 512; }
unsigned take(const unsigned &) { return 1024; }
template <class T> unsigned pass(T &&t) { return take(std::forward<T>(t)); }
constexpr const int &first_of(const int &a, const int &) { return a; }
constexpr unsigned &&moved(unsigned &a) { return static_cast<unsigned &&>(a); }
struct Base { virtual int len(int n = 5) { return n; } virtual int both(int a, int b = 2) { return a * b; } virtual ~Base() {} };
struct Over : Base { int len(int n = 7) override { return n + 100; } int both(int a, int b = 3) override { return a + b; } };
int global = 6;
decltype(auto) again() { return (global); }
decltype(auto) once() { return global; }
void program() {
    out("a", Width<short>::v); out("b", Width<int>::v); out("c", Width<double>::v); out("d", HasLen<P>::value); out("e", HasLen<Q>::value);
    out("f", HasKind<P>::value); out("g", HasKind<int>::value); out("h", Any<int>::v); out("i", Small<short>::v); out("j", Small<int>::v);
    out("k", Of<Row<short, 4>>::v); out("l", Of<Row<short, 5>>::v); out("m", Of<Row<double, 7>>::v); out("n", Of<List<char, int, long>>::v); out("o", Of<List<int>>::v);
    Row<short, 6> row{}; out("p", count(row)); P p; Q q; out("q", asked(p, 0)); out("r", asked(q, 0));
    unsigned n = 3; out("s", take(std::move(n))); out("t", take(n)); out("u", pass(3u)); out("v", pass(n)); out("w", take(moved(n))); out("x", first_of(in(0), 2));
    Over over; Base &base = over; out("y", base.len()); out("z", over.len()); out("aa", base.both(in(1))); out("ab", base.both(4, 5)); out("ac", base.Base::len());
    int m = in(2); decltype(auto) same = (m); same += 5; out("ad", m); decltype(auto) copy = m; copy += 5; out("ae", m); again() = 8; out("af", global); out("ag", once() + 1);
    const int fixed = 4; decltype(auto) kept = (fixed); out("ah", kept); decltype(auto) made = m + 1; made++; out("ai", made); decltype(auto) ref = first_of(m, 1); out("aj", ref);
    struct Pair { int a; int b; } one{1, in(0)}, two{in(1), 4}, *at = &two; at->b += 1; out("ak", one.a + one.b); out("al", two.a * two.b); struct { int k; } bare{7}; out("am", bare.k);
    enum Mode { Low, High = 4 } mode = High; out("an", (int)mode); union { int whole; float part; } bits; bits.whole = 3; out("ao", bits.whole);
}
