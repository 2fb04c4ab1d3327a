template <int N> std::integral_constant<int, N> number(int) { return {}; }
template <int I, int J> auto shape(int) -> std::integral_constant<int, I * 10 + J> { return {}; }
struct Numbered : decltype(number<7>(0)) {};
namespace detail { template <typename T> struct size_of_tuple; template <> struct size_of_tuple<int> { static constexpr int value = 3; };
  template <typename T> auto has_size(T *) -> std::integral_constant<bool, (0 <= size_of_tuple<T>::value)>; auto has_size(...) -> std::false_type; }
template <typename T> struct is_sized : decltype(detail::has_size((T *)0)) {};
template <typename T> struct Layout { using Element = T; static constexpr int rank = 2; T element; };
template <typename T> int rank_of(const T &t) { return decltype(Layout<T>{})::rank + (int)sizeof(typename decltype(Layout<T>{})::Element); }
template <typename A, typename B> auto add(A a, B b) -> decltype(a + b) { return a + b; }
struct S { int m = 4; float f; static int make() { return 9; } struct In { static constexpr int k = 12; }; };
S object; S *pointer = &object;
int plain = 3; const long constant = 5; int &reference = plain; int cells[4] = {1, 2, 3, 4};
template <typename T> struct Kind { static constexpr int id = 0; }; template <typename T> struct Kind<T &> { static constexpr int id = 1; }; template <typename T> struct Kind<T &&> { static constexpr int id = 2; };
template <typename T> struct Kind<const T> { static constexpr int id = 3; }; template <typename T> struct Kind<T *> { static constexpr int id = 4; };
namespace inner = detail;
void program() {
    out("a", decltype(number<3>(0))::value); out("b", Numbered::value); out("c", (int)is_sized<int>::value); out("d", (int)is_sized<float>::value);
    out("e", decltype(shape<2, 5>(1))::value); out("f", rank_of(2.0)); out("g", rank_of('c')); out("h", add(1, 2.5f)); out("i", add(3u, in(0)));
    decltype(plain) a = 8; out("j", a); decltype((plain)) b = a; b = 9; out("k", a); decltype(constant) c = 6; out("l", c); decltype(reference) r = a; r++; out("m", a);
    out("n", Kind<decltype(plain)>::id); out("o", Kind<decltype((plain))>::id); out("p", Kind<decltype(constant)>::id); out("q", Kind<decltype(&plain)>::id); out("r", Kind<decltype(reference)>::id); out("s", Kind<decltype(plain + 1)>::id);
    decltype(object) o; out("t", o.m); decltype(pointer->m) m = 2; out("u", m); out("v", decltype(object)::make()); out("w", decltype(object)::In::k); decltype(S::f) f = 1.5f; out("x", f);
    decltype(cells[0]) e = cells[2]; e = 11; out("y", cells[2]); out("z", (int)(sizeof(decltype(cells)) / sizeof(decltype(cells[0])))); out("aa", (int)(sizeof(cells) / sizeof(cells[0])));
    decltype(in(0)) asked = in(1); out("ab", asked); auto lam = [](int x) { return x * 2; }; decltype(lam) same = lam; out("ac", same(4)); decltype(add(1, 2L)) wide = 7; out("ad", (int)sizeof(wide));
    constexpr int rows = decltype(shape<1, 0>(0))::value; int filled[rows] = {}; out("ae", (int)(sizeof(filled) / 4)); out("af", inner::size_of_tuple<int>::value); using Two = decltype(number<2>(0)); out("ag", Two::value + Two{}()); 
}
