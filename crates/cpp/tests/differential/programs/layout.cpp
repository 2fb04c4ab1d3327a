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
void program() {
    out("E", sizeof(E)); out("A", sizeof(A)); out("B", sizeof(B)); out("C", sizeof(C)); out("D", sizeof(D)); out("F", sizeof(F));
    out("V", sizeof(V)); out("W", sizeof(W)); out("X", sizeof(X)); out("Y", sizeof(Y)); out("U", sizeof(U)); out("Arr", sizeof(Arr));
    out("Big", sizeof(Big)); out("En", sizeof(En)); out("al", alignof(B) + alignof(Arr) * 10);
    int v[5]; out("v", sizeof(v) + sizeof v[0] + sizeof(int *) + sizeof(v[0] + 1L));
    out("offs", (int)sizeof(decltype(Big::a)));
    A a[4]; out("dist", (int)(&a[3] - &a[1]));
}
