template <typename T> T twice(T value) { return value + value; }
template <typename T, int N> struct Fixed {
    T items[N];
    static constexpr int size = N;
    T sum() const { T all = 0; for (int i = 0; i < N; i++) all += items[i]; return all; }
    template <typename F> void each(F f) { for (int i = 0; i < N; i++) items[i] = f(items[i]); }
};
template <typename T> struct Name { static constexpr int id = 0; };
template <> struct Name<int> { static constexpr int id = 1; };
template <typename T> struct Name<T *> { static constexpr int id = 100 + Name<T>::id; };
template <typename T> struct Name<const T> { static constexpr int id = 1000 + Name<T>::id; };
template <typename A, typename B> struct Name<std::pair<A, B>> { static constexpr int id = 7 + Name<A>::id + Name<B>::id; };
template <int N> struct Fact { static constexpr int value = N * Fact<N - 1>::value; };
template <> struct Fact<0> { static constexpr int value = 1; };
template <typename... Ts> int count(Ts... ts) { return sizeof...(ts); }
template <typename... Ts> auto sum(Ts... ts) { return (ts + ... + 0); }
template <typename T> int first(T t) { return t; }
template <typename T, typename... Ts> int last(T t, Ts... ts) {
    if constexpr (sizeof...(Ts) == 0) { return t; } else { return last(ts...); }
}
template <typename T> typename std::enable_if<std::is_integral<T>::value, int>::type kind(T) { return 1; }
template <typename T> typename std::enable_if<std::is_floating_point<T>::value, int>::type kind(T) { return 2; }
template <typename T, std::enable_if_t<std::is_pointer_v<T>, int> = 0> int kind(T) { return 3; }
template <typename T> constexpr int bits_v = sizeof(T) * 8;
template <typename T> using Ptr = T *;
template <template <typename, int> class C, typename T> int fill(T v) { C<T, 3> c{{v, v, v}}; return c.sum(); }
template <bool B> struct Switch { static int go() { return 10; } };
template <> int Switch<true>::go() { return 20; }
template <typename Derived> struct Base {
    int run(int x) { return static_cast<Derived *>(this)->step(x) * 2; }
    int step(int x) { return x; }
};
struct Left : Base<Left> { int step(int x) { return x + 1; } };
struct Right : Base<Right> { int k = 3; int step(int x) { return x * k; } };
template <typename T> struct Outer {
    struct Inner { T value; T get() { return value + offset; } };
    static constexpr T offset = 5;
    Inner make(T v);
};
template <typename T> typename Outer<T>::Inner Outer<T>::make(T v) { Inner i{v}; return i; }
template <typename T> void assign(T &target, const T &value) { target = value; }
template <typename T> int over(T) { return 1; }
int over(int) { return 2; }
template <typename T> int over(T *) { return 3; }
int over(double) { return 4; }
template <int... Is> int packed(std::integer_sequence<int, Is...>) { return ((Is * Is) + ...); }
template <typename T, typename U = int, int N = 4> struct Defaults { static int value() { return sizeof(T) + sizeof(U) * 10 + N * 100; } };
template <typename T> void out_kind(T &&) { out("ref", std::is_lvalue_reference_v<T>); }
enum class Mode { Fast, Slow };
template <Mode M> int mode() { if constexpr (M == Mode::Fast) return 1; else return 2; }
template <auto V> struct Const { static constexpr auto value = V; };
template <typename T> struct HasType { template <typename U> static char test(typename U::type *); template <typename U> static int test(...); static constexpr bool value = sizeof(test<T>(nullptr)) == 1; };
struct With { using type = int; };
struct Without {};
template <> int twice<int>(int value) { return value * 2 + 1; }
void program() {
    out("twice", twice(3.5f));
    out("special", twice(4));
    out("explicit", twice<long>(5));
    Fixed<int, 4> f{{1, 2, 3, 4}};
    out("sum", f.sum());
    f.each([](int v) { return v * v; });
    out("each", f.sum() + Fixed<char, 7>::size);
    out("name", Name<int>::id + Name<int *>::id + Name<float>::id + Name<const int>::id + Name<int **>::id);
    out("pair", Name<std::pair<int, int *>>::id);
    out("fact", Fact<6>::value);
    out("count", count(1, 2.0, 'c'));
    out("fold", sum(1, 2L, 3));
    out("last", last(1, 2, 3, 9));
    int v = 7;
    out("kind", kind(1) + kind(1.0f) * 10 + kind(&v) * 100);
    out("bits", bits_v<int16_t>);
    Ptr<int> p = &v;
    out("alias", *p);
    out("ttp", fill<Fixed>(5));
    out("switch", Switch<true>::go() + Switch<false>::go());
    Left left; Right right;
    out("crtp", left.run(4) + right.run(4) * 100);
    Outer<int> outer;
    out("inner", outer.make(3).get());
    assign(v, 11);
    out("assign", v);
    out("over", over(1) + over(1L) * 10 + over(&v) * 100 + over(1.0) * 1000 + over(1.0f) * 10000);
    out("packed", packed(std::make_integer_sequence<int, 5>{}));
    out("defaults", Defaults<char>::value() + Defaults<char, long, 2>::value());
    out_kind(v); out_kind(3);
    out("mode", mode<Mode::Fast>() + mode<Mode::Slow>() * 10);
    out("auto", Const<5>::value + Const<'a'>::value);
    out("has", HasType<With>::value * 10 + HasType<Without>::value);
    out("same", std::is_same_v<int, int32_t> + std::is_same_v<long, long long> * 10);
    out("cond", sizeof(std::conditional_t<(sizeof(int) > 2), long, char>));
    std::tuple<int, long, char> t{1, 2, 'x'};
    out("tuple", std::get<0>(t) + std::get<1>(t) + std::get<2>(t));
    auto pr = std::make_pair(3, 4L);
    out("pair2", pr.first * 10 + pr.second);
    std::array<int, 3> arr{5, 6, 7};
    arr[1] = 60;
    int acc = 0;
    for (auto &x : arr) { acc += x; x = 0; }
    out("array", acc + arr[1] + arr.size());
}
