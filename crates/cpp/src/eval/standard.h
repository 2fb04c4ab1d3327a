// What kernels use of the C++ standard library. Written for the evaluator: where it can tell types apart by itself, a
// variable whose name starts with `a2_` asks it.
template <typename T> constexpr bool a2_is_class = false;
template <typename T> constexpr bool a2_is_enum = false;
template <typename T> constexpr bool a2_is_function = false;
template <typename B, typename D> constexpr bool a2_is_base_of = false;
template <typename F, typename T> constexpr bool a2_is_convertible = false;

namespace std {
template <typename T, T V> struct integral_constant {
    static constexpr T value = V;
    using value_type = T;
    using type = integral_constant;
    constexpr operator T() const { return V; }
    constexpr T operator()() const { return V; }
};
template <bool B> using bool_constant = integral_constant<bool, B>;
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;

template <typename A, typename B> struct is_same : false_type {};
template <typename A> struct is_same<A, A> : true_type {};
template <typename A, typename B> constexpr bool is_same_v = is_same<A, B>::value;

template <bool B, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { using type = T; };
template <bool B, typename T = void> using enable_if_t = typename enable_if<B, T>::type;

template <bool B, typename T, typename F> struct conditional { using type = T; };
template <typename T, typename F> struct conditional<false, T, F> { using type = F; };
template <bool B, typename T, typename F> using conditional_t = typename conditional<B, T, F>::type;

template <typename... Ts> using void_t = void;

template <typename T> struct remove_const { using type = T; };
template <typename T> struct remove_const<const T> { using type = T; };
template <typename T> using remove_const_t = typename remove_const<T>::type;
template <typename T> struct remove_reference { using type = T; };
template <typename T> struct remove_reference<T &> { using type = T; };
template <typename T> struct remove_reference<T &&> { using type = T; };
template <typename T> using remove_reference_t = typename remove_reference<T>::type;
template <typename T> struct remove_cv { using type = typename remove_const<T>::type; };
template <typename T> using remove_cv_t = typename remove_cv<T>::type;
template <typename T> struct remove_cvref { using type = remove_cv_t<remove_reference_t<T>>; };
template <typename T> using remove_cvref_t = typename remove_cvref<T>::type;
template <typename T> struct remove_pointer { using type = T; };
template <typename T> struct remove_pointer<T *> { using type = T; };
template <typename T> using remove_pointer_t = typename remove_pointer<T>::type;
template <typename T> struct remove_extent { using type = T; };
template <typename T, unsigned long N> struct remove_extent<T[N]> { using type = T; };
template <typename T> using remove_extent_t = typename remove_extent<T>::type;
template <typename T> struct add_const { using type = const T; };
template <typename T> using add_const_t = typename add_const<T>::type;
template <typename T> struct add_pointer { using type = remove_reference_t<T> *; };
template <typename T> using add_pointer_t = typename add_pointer<T>::type;
template <typename T> struct add_lvalue_reference { using type = T &; };
template <typename T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <typename T> struct add_rvalue_reference { using type = T &&; };
template <typename T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
template <typename T> struct decay { using type = remove_cvref_t<T>; };
template <typename T, unsigned long N> struct decay<T[N]> { using type = T *; };
template <typename T> using decay_t = typename decay<T>::type;
template <typename T> struct type_identity { using type = T; };
template <typename T> using type_identity_t = typename type_identity<T>::type;

template <typename T> struct is_const : false_type {};
template <typename T> struct is_const<const T> : true_type {};
template <typename T> constexpr bool is_const_v = is_const<T>::value;
template <typename T> struct is_pointer : false_type {};
template <typename T> struct is_pointer<T *> : true_type {};
template <typename T> struct is_pointer<T *const> : true_type {};
template <typename T> constexpr bool is_pointer_v = is_pointer<T>::value;
template <typename T> struct is_array : false_type {};
template <typename T, unsigned long N> struct is_array<T[N]> : true_type {};
template <typename T> constexpr bool is_array_v = is_array<T>::value;
template <typename T> struct is_lvalue_reference : false_type {};
template <typename T> struct is_lvalue_reference<T &> : true_type {};
template <typename T> constexpr bool is_lvalue_reference_v = is_lvalue_reference<T>::value;
template <typename T> struct is_rvalue_reference : false_type {};
template <typename T> struct is_rvalue_reference<T &&> : true_type {};
template <typename T> constexpr bool is_rvalue_reference_v = is_rvalue_reference<T>::value;
template <typename T> struct is_reference : bool_constant<is_lvalue_reference_v<T> || is_rvalue_reference_v<T>> {};
template <typename T> constexpr bool is_reference_v = is_reference<T>::value;
template <typename T> struct is_void : is_same<remove_cv_t<T>, void> {};
template <typename T> constexpr bool is_void_v = is_void<T>::value;

template <typename T> struct a2_integral : false_type {};
template <> struct a2_integral<bool> : true_type {};
template <> struct a2_integral<char> : true_type {};
template <> struct a2_integral<signed char> : true_type {};
template <> struct a2_integral<unsigned char> : true_type {};
template <> struct a2_integral<short> : true_type {};
template <> struct a2_integral<unsigned short> : true_type {};
template <> struct a2_integral<int> : true_type {};
template <> struct a2_integral<unsigned int> : true_type {};
template <> struct a2_integral<long> : true_type {};
template <> struct a2_integral<unsigned long> : true_type {};
template <> struct a2_integral<long long> : true_type {};
template <> struct a2_integral<unsigned long long> : true_type {};
template <typename T> struct is_integral : a2_integral<remove_cv_t<T>> {};
template <typename T> constexpr bool is_integral_v = is_integral<T>::value;
template <typename T> struct a2_floating : false_type {};
template <> struct a2_floating<float> : true_type {};
template <> struct a2_floating<double> : true_type {};
template <typename T> struct is_floating_point : a2_floating<remove_cv_t<T>> {};
template <typename T> constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <typename T> struct is_arithmetic : bool_constant<is_integral_v<T> || is_floating_point_v<T>> {};
template <typename T> constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <typename T> struct a2_signed : false_type {};
template <> struct a2_signed<char> : true_type {};
template <> struct a2_signed<signed char> : true_type {};
template <> struct a2_signed<short> : true_type {};
template <> struct a2_signed<int> : true_type {};
template <> struct a2_signed<long> : true_type {};
template <> struct a2_signed<long long> : true_type {};
template <> struct a2_signed<float> : true_type {};
template <> struct a2_signed<double> : true_type {};
template <typename T> struct is_signed : a2_signed<remove_cv_t<T>> {};
template <typename T> constexpr bool is_signed_v = is_signed<T>::value;
template <typename T> struct is_unsigned : bool_constant<is_integral_v<T> && !is_signed_v<T>> {};
template <typename T> constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <typename T> struct make_unsigned { using type = T; };
template <> struct make_unsigned<char> { using type = unsigned char; };
template <> struct make_unsigned<signed char> { using type = unsigned char; };
template <> struct make_unsigned<short> { using type = unsigned short; };
template <> struct make_unsigned<int> { using type = unsigned int; };
template <> struct make_unsigned<long> { using type = unsigned long; };
template <> struct make_unsigned<long long> { using type = unsigned long long; };
template <typename T> using make_unsigned_t = typename make_unsigned<T>::type;
template <typename T> struct make_signed { using type = T; };
template <> struct make_signed<char> { using type = signed char; };
template <> struct make_signed<unsigned char> { using type = signed char; };
template <> struct make_signed<unsigned short> { using type = short; };
template <> struct make_signed<unsigned int> { using type = int; };
template <> struct make_signed<unsigned long> { using type = long; };
template <> struct make_signed<unsigned long long> { using type = long long; };
template <typename T> using make_signed_t = typename make_signed<T>::type;
template <typename T> struct is_class : bool_constant<a2_is_class<T>> {};
template <typename T> constexpr bool is_class_v = a2_is_class<T>;
template <typename T> struct is_enum : bool_constant<a2_is_enum<T>> {};
template <typename T> constexpr bool is_enum_v = a2_is_enum<T>;
template <typename T> struct is_function : bool_constant<a2_is_function<T>> {};
template <typename B, typename D> struct is_base_of : bool_constant<a2_is_base_of<B, D>> {};
template <typename B, typename D> constexpr bool is_base_of_v = a2_is_base_of<B, D>;
template <typename F, typename T> struct is_convertible : bool_constant<a2_is_convertible<F, T>> {};
template <typename F, typename T> constexpr bool is_convertible_v = a2_is_convertible<F, T>;

template <typename T> struct negation : bool_constant<!T::value> {};
template <typename T> constexpr bool negation_v = !T::value;
template <typename... Ts> struct conjunction : bool_constant<(Ts::value && ...)> {};
template <typename... Ts> constexpr bool conjunction_v = (Ts::value && ...);
template <typename... Ts> struct disjunction : bool_constant<(Ts::value || ...)> {};
template <typename... Ts> constexpr bool disjunction_v = (Ts::value || ...);

template <typename T> constexpr remove_reference_t<T> &&move(T &&value) { return static_cast<remove_reference_t<T> &&>(value); }
template <typename T> constexpr T &&forward(remove_reference_t<T> &value) { return static_cast<T &&>(value); }
template <typename T> T &&declval();
template <typename T> constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <typename T> constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <typename T> constexpr const T &clamp(const T &v, const T &lo, const T &hi) { return v < lo ? lo : hi < v ? hi : v; }
template <typename T> void swap(T &a, T &b) { T held = move(a); a = move(b); b = move(held); }
template <typename T, typename U = T> T exchange(T &place, U &&value) { T held = move(place); place = forward<U>(value); return held; }
constexpr int abs(int value) { return value < 0 ? -value : value; }
constexpr long abs(long value) { return value < 0 ? -value : value; }
constexpr long long abs(long long value) { return value < 0 ? -value : value; }
constexpr float abs(float value) { return value < 0 ? -value : value; }
constexpr double abs(double value) { return value < 0 ? -value : value; }

template <typename T> struct numeric_limits {
    static constexpr bool is_signed = is_signed_v<T>;
    static constexpr int digits = sizeof(T) * 8 - (is_signed_v<T> ? 1 : 0);
    static constexpr T max() { return static_cast<T>(~0ull >> (64 - digits)); }
    static constexpr T min() { return is_signed_v<T> ? static_cast<T>(-max() - 1) : static_cast<T>(0); }
    static constexpr T lowest() { return min(); }
};
template <> struct numeric_limits<bool> {
    static constexpr bool is_signed = false;
    static constexpr int digits = 1;
    static constexpr bool max() { return true; }
    static constexpr bool min() { return false; }
    static constexpr bool lowest() { return false; }
};
template <> struct numeric_limits<float> {
    static constexpr bool is_signed = true;
    static constexpr int digits = 24;
    static constexpr float max() { return 3.40282346638528859811704183484516925e+38f; }
    static constexpr float min() { return 1.17549435082228750796873653722224568e-38f; }
    static constexpr float lowest() { return -3.40282346638528859811704183484516925e+38f; }
    static constexpr float epsilon() { return 1.19209289550781250000000000000000000e-7f; }
    static constexpr float infinity() { return max() * 2.0f; }
};
template <> struct numeric_limits<double> {
    static constexpr bool is_signed = true;
    static constexpr int digits = 53;
    static constexpr double max() { return 1.79769313486231570814527423731704357e+308; }
    static constexpr double min() { return 2.22507385850720138309023271733240406e-308; }
    static constexpr double lowest() { return -1.79769313486231570814527423731704357e+308; }
    static constexpr double epsilon() { return 2.22044604925031308084726333618164062e-16; }
    static constexpr double infinity() { return max() * 2.0; }
};

template <typename T, unsigned long N> struct array {
    T values_[N];
    using value_type = T;
    constexpr T &operator[](unsigned long at) { return values_[at]; }
    constexpr const T &operator[](unsigned long at) const { return values_[at]; }
    constexpr T &at(unsigned long index) { return values_[index]; }
    constexpr const T &at(unsigned long index) const { return values_[index]; }
    constexpr unsigned long size() const { return N; }
    constexpr bool empty() const { return N == 0; }
    constexpr T *data() { return values_; }
    constexpr const T *data() const { return values_; }
    constexpr T &front() { return values_[0]; }
    constexpr const T &front() const { return values_[0]; }
    constexpr T &back() { return values_[N - 1]; }
    constexpr const T &back() const { return values_[N - 1]; }
    constexpr T *begin() { return values_; }
    constexpr const T *begin() const { return values_; }
    constexpr T *end() { return values_ + N; }
    constexpr const T *end() const { return values_ + N; }
    constexpr void fill(const T &value) { for (unsigned long at = 0; at < N; ++at) { values_[at] = value; } }
};

template <typename A, typename B> struct pair {
    A first;
    B second;
};
template <typename A, typename B> constexpr pair<decay_t<A>, decay_t<B>> make_pair(A &&a, B &&b) {
    return pair<decay_t<A>, decay_t<B>>{forward<A>(a), forward<B>(b)};
}

template <typename... Ts> struct tuple;
template <> struct tuple<> {};
template <typename T, typename... Ts> struct tuple<T, Ts...> {
    T first_;
    tuple<Ts...> rest_;
    constexpr tuple() : first_(), rest_() {}
    constexpr tuple(const T &first, const Ts &...rest) : first_(first), rest_(rest...) {}
};
template <typename... Ts> constexpr tuple<decay_t<Ts>...> make_tuple(Ts &&...values) {
    return tuple<decay_t<Ts>...>(forward<Ts>(values)...);
}
template <unsigned long I, typename T> struct tuple_element;
template <unsigned long I, typename T, typename... Ts> struct tuple_element<I, tuple<T, Ts...>> {
    using type = typename tuple_element<I - 1, tuple<Ts...>>::type;
};
template <typename T, typename... Ts> struct tuple_element<0, tuple<T, Ts...>> { using type = T; };
template <unsigned long I, typename T> using tuple_element_t = typename tuple_element<I, T>::type;
template <typename T> struct tuple_size;
template <typename... Ts> struct tuple_size<tuple<Ts...>> : integral_constant<unsigned long, sizeof...(Ts)> {};
template <typename T, unsigned long N> struct tuple_size<array<T, N>> : integral_constant<unsigned long, N> {};
template <typename T> constexpr unsigned long tuple_size_v = tuple_size<T>::value;
template <unsigned long I, typename T, typename... Ts> constexpr auto &get(tuple<T, Ts...> &value) {
    if constexpr (I == 0) {
        return value.first_;
    } else {
        return get<I - 1>(value.rest_);
    }
}
template <unsigned long I, typename T, typename... Ts> constexpr const auto &get(const tuple<T, Ts...> &value) {
    if constexpr (I == 0) {
        return value.first_;
    } else {
        return get<I - 1>(value.rest_);
    }
}
template <unsigned long I, typename A, typename B> constexpr auto &get(pair<A, B> &value) {
    if constexpr (I == 0) {
        return value.first;
    } else {
        return value.second;
    }
}
template <unsigned long I, typename T, unsigned long N> constexpr T &get(array<T, N> &value) { return value.values_[I]; }
template <unsigned long I, typename T, unsigned long N> constexpr const T &get(const array<T, N> &value) { return value.values_[I]; }

template <typename T, T... Vs> struct integer_sequence {
    using value_type = T;
    static constexpr unsigned long size() { return sizeof...(Vs); }
};
template <unsigned long... Vs> using index_sequence = integer_sequence<unsigned long, Vs...>;
template <typename T, unsigned long N, T... Vs> struct a2_sequence : a2_sequence<T, N - 1, N - 1, Vs...> {};
template <typename T, T... Vs> struct a2_sequence<T, 0, Vs...> { using type = integer_sequence<T, Vs...>; };
template <unsigned long N> using make_index_sequence = typename a2_sequence<unsigned long, N>::type;
template <typename T, unsigned long N> using make_integer_sequence = typename a2_sequence<T, N>::type;
template <typename... Ts> using index_sequence_for = make_index_sequence<sizeof...(Ts)>;
}
using std::abs;
