struct E {};
struct A { char c; int i; };
struct B { char c; double d; char e; };
struct C : A { char f; };
struct D { D() {} int x; char y; };
struct F : D { char z; };
struct V { virtual void f() {} int x; };
struct W : V { char c; };
struct X : E { int a; };
struct Y { E e; int a; };
union U { int i; double d; char c[12]; };
struct Arr { short s[3]; char c; };
struct Big { long long l; int i; A a[3]; };
enum class S8 : int8_t { a };
struct En { S8 s; uint16_t h; S8 t; };
#pragma pack(push, 1)
struct Tight { char c; double d; short s; };
#pragma pack(push, 4)
struct Four { char c; double d; short s; Tight t; };
#pragma pack(pop)
union TightUnion { char c[3]; int i; };
#pragma pack(pop)
struct Loose { char c; double d; short s; };
#pragma pack(2)
struct Two { char c; int i; };
#pragma pack()
struct alignas(64) Line { int v; };
struct Lines { char c; Line line; };
struct __attribute__((packed)) Packed { char c; long long l; };
struct Later { char c; int i; } __attribute__((packed));
struct alignas(8) Wide { char c; };
void program() {
    out("pack", sizeof(Tight) + sizeof(Four) * 100 + sizeof(TightUnion) * 10000 + sizeof(Loose) * 1000000 + sizeof(Two) * 100000000);
    out("align", sizeof(Line) + sizeof(Lines) * 1000 + alignof(Lines) * 1000000 + sizeof(Wide) * 100000000);
    out("packed", sizeof(Packed) + sizeof(Later) * 100 + alignof(Packed) * 10000 + alignof(Four) * 100000);
    out("E", sizeof(E)); out("A", sizeof(A)); out("B", sizeof(B)); out("C", sizeof(C)); out("D", sizeof(D)); out("F", sizeof(F));
    out("V", sizeof(V)); out("W", sizeof(W)); out("X", sizeof(X)); out("Y", sizeof(Y)); out("U", sizeof(U)); out("Arr", sizeof(Arr));
    out("Big", sizeof(Big)); out("En", sizeof(En)); out("al", alignof(B) + alignof(Arr) * 10);
    int v[5]; out("v", sizeof(v) + sizeof v[0] + sizeof(int *) + sizeof(v[0] + 1L));
    out("offs", (int)sizeof(decltype(Big::a)));
    A a[4]; out("dist", (int)(&a[3] - &a[1]));
}
