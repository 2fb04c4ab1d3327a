int apply(int (*f)(int), int x) { return f(x); }
int triple(int x) { return x * 3; }
template <typename F> int twice(F f, int x) { return f(f(x)); }
template <typename F, typename... As> auto call(F &&f, As &&...as) { return f(std::forward<As>(as)...); }
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
struct Acc { int total = 0; void add(int v) { auto g = [this](int k) { total += k; }; g(v); g(v); } };
auto adder(int n) { return [n](int x) { return x + n; }; }
using Fn = int (*)(int);
constexpr Fn table[] = {triple, [](int x) { return x - 1; }};
struct Counter {
    int v;
    int twice() { auto more = [*this]() mutable { v += 5; return v; }; int first = more(); return first * 100 + more() * 10 + v; }
    int shared() { auto more = [this] { v += 5; return v; }; more(); return v; }
};
void program() {
    Counter counted{2};
    out("copy_of_this", counted.twice() + counted.shared() * 10000);
    int base = 10;
    auto add = [base](int x) { return x + base; };
    auto set = [&base](int x) { base = x; return base; };
    out("copy", add(1));
    out("ref", set(5) + base);
    out("still", add(1));
    out("pointer", apply(triple, 4) + apply([](int x) { return x * x; }, 5));
    out("twice", twice([&](int x) { return x + base; }, 1));
    int counter = 0;
    auto tick = [counter]() mutable { return ++counter; };
    out("mutable", tick() * 10 + tick());
    out("outer", counter);
    auto copy = tick;
    out("copied", copy() * 10 + tick());
    auto generic = [](auto a, auto b) { return a * b; };
    out("generic", generic(3, 4));
    out("genericf", generic(1.5f, 2.0f));
    out("fib", fib(12));
    Acc acc; acc.add(3);
    out("this", acc.total);
    out("closure", adder(5)(6));
    out("table", table[0](5) + table[1](5));
    out("call", call([](int a, int &b) { b += a; return b; }, 3, base));
    out("base", base);
    auto init = [y = base * 2, &z = counter](int x) { z = 9; return x + y; };
    out("init", init(1) + counter);
    auto all = [=] { return base + counter; };
    base = 1000;
    out("all", all());
    auto nested = [&](int x) { auto inner = [&, x](int y) { return x * y + base; }; return inner(2); };
    out("nested", nested(3));
    auto early = [](int x) -> int { if (x > 2) return 1; for (int i = 0; i < 5; i++) { if (i == x) return i * 10; } return -1; };
    out("early", early(1) + early(3) * 100 + early(-1) * 1000);
    int values[5] = {5, 3, 8, 1, 2};
    auto sort = [&] { for (int i = 0; i < 5; i++) for (int j = i + 1; j < 5; j++) if (values[j] < values[i]) std::swap(values[i], values[j]); };
    sort();
    out("sorted", values[0] * 10000 + values[1] * 1000 + values[2] * 100 + values[3] * 10 + values[4]);
    out("iife", [&] { int s = 0; for (int v : values) s += v; return s; }());
}
