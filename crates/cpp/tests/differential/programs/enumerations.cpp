enum class Position { GM, VECIN, LCM = VECIN, MAX = LCM + 5, BOTH = VECIN | MAX, NEXT };
enum Plain { P0, P1 = 4, P2, P3 = P1 + P2, P4 = P0 };
enum Unsigned { U0 = 1u, U1 = U0 - 2, U2 = -1 > 0 };
enum Small : unsigned char { S0 = 250, S1, S2 = S0 + S1 - S1, S3 = sizeof(S0) };
enum Big { B0 = 2147483647, B1, B2 = sizeof(B1) };
enum { ANON = 3, ANON2 = ANON * ANON };
namespace deep { enum Kind { DA = 7, DB }; enum class Sc : int { A = 1, B = A + 1, C = A | B }; constexpr int k = DB; namespace in_ { using deep::DB; } }
using deep::DA;
using Alias = deep::Kind;
typedef deep::Sc ScAlias;
struct Holder { enum Inner { I0 = 2, I1 }; enum class Strong { X = I1, Y = X }; Inner inner = I1; static constexpr Inner fixed = I0; int get() const { return inner; } };
template <typename T> struct Sized { enum { value = sizeof(T), twice = value * 2 }; enum class E { A = value, B = A }; };
template <Position p> int pick() { return p == Position::LCM ? 1 : 2; }
template <int V> int val() { return V; }
namespace other { using namespace deep; int f() { return DB + (int)Sc::C; } }
int over(Position) { return 1; } int over(int) { return 2; } int over(unsigned) { return 3; } int over(Plain) { return 4; }
bool operator<(deep::Sc a, int b) { return (int)a < b; }
deep::Sc operator|(deep::Sc a, deep::Sc b) { return (deep::Sc)((int)a | (int)b); }
void program() {
    out("a", (int)Position::LCM); out("b", (int)Position::MAX); out("c", (int)Position::BOTH); out("d", (int)Position::NEXT);
    out("e", P3 * 100 + P4); out("f", (long)U1); out("g", (int)U2); out("h", (int)S1); out("i", (int)S2); out("j", (int)S3);
    out("k", (long)B1); out("l", (int)B2); out("m", ANON2); out("n", DA); out("o", (int)Alias::DB); out("p", deep::k);
    out("q", (int)ScAlias::C); out("r", deep::DB); out("s", (int)deep::in_::DB);
    Holder h; out("t", h.get()); out("u", (int)h.I1); out("v", (int)Holder::Strong::Y); out("w", (int)Holder::fixed); out("x", Holder::I0);
    out("y", (int)Sized<double>::twice); out("z", (int)Sized<short>::E::B);
    out("aa", pick<Position::VECIN>()); out("ab", pick<Position::MAX>()); out("ac", val<P1>());
    using deep::DB; out("ad", (int)DB); out("ae", other::f());
    out("af", over(Position::GM)); out("ag", over(P0)); out("ah", over(ANON)); out("ai", over(U0));
    out("aj", (int)(Position::LCM == Position::VECIN)); out("ak", (int)(Position::GM != Position::MAX)); out("al", (int)(P1 == 4));
    out("am", (int)(deep::Sc::A < 3)); out("an", (int)(deep::Sc::A | deep::Sc::B)); out("ao", (int)(P0 == P4));
    Position p = in(0) == 1 ? Position::VECIN : Position::MAX; out("ap", (int)(p == Position::LCM)); out("aq", (int)(p != Position::LCM));
    switch (p) { case Position::GM: out("ar", 0); break; case Position::VECIN: out("ar", 1); break; default: out("ar", 2); }
    Plain q = (Plain)in(1); out("as", q == P2 ? 10 : 20); out("at", (int)q + 1); out("au", (int)(q < P3));
    enum Local { L0 = DA, L1 = L0 + 1 }; out("av", (int)L1); Local l = L1; out("aw", l - L0);
    deep::Sc s = static_cast<deep::Sc>(2); out("ax", (int)(s == deep::Sc::B)); out("ay", (int)sizeof(S0)); out("az", (int)sizeof(deep::Sc));
    int bits = 0; bits |= P1; bits ^= P2; out("ba", bits); out("bb", !P0); out("bc", (int)(P1 << 2)); out("bd", -P1);
}
