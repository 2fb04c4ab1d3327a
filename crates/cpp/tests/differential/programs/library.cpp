template <typename T> constexpr T CeilDiv(T a, T b) { return (a + b - 1) / b; }
template <typename T> constexpr T Align(T a, T b) { return CeilDiv(a, b) * b; }
struct Tiling { uint32_t total; uint32_t tile; uint8_t pad[4]; uint64_t far; };
template <typename T, int DEPTH = 2> class Ring {
public:
    void Init(int size) { size_ = size; for (int i = 0; i < DEPTH; i++) used_[i] = false; }
    int Alloc() { for (int i = 0; i < DEPTH; i++) { int k = (next_ + i) % DEPTH; if (!used_[k]) { used_[k] = true; next_ = (k + 1) % DEPTH; return k; } } return -1; }
    void Free(int k) { used_[k] = false; }
    uint32_t Bytes() const { return Align<uint32_t>(size_ * sizeof(T), 32) * DEPTH; }
private:
    int size_ = 0; bool used_[DEPTH]; int next_ = 0;
};
template <typename T> class Kernel {
public:
    Kernel() {}
    void Init(const Tiling &t, int block) {
        tile_ = t.tile; loops_ = CeilDiv(t.total, t.tile); tail_ = t.total - (loops_ - 1) * t.tile; block_ = block;
        in_.Init(tile_); out_.Init(tile_);
    }
    int Process() { int sum = 0; for (uint32_t i = 0; i < loops_; ++i) { sum += Step(i, i == loops_ - 1 ? tail_ : tile_); } return sum; }
private:
    int Step(uint32_t i, uint32_t length) { int k = in_.Alloc(); int r = k * 1000 + i * 10 + length + block_; in_.Free(k); return r; }
    Ring<T> in_; Ring<T, 3> out_;
    uint32_t tile_ = 0, loops_ = 0, tail_ = 0; int block_;
};
void program() {
    Tiling t{1000, 128, {1, 2}, 5};
    Kernel<float> k;
    k.Init(t, 7);
    out("kernel", k.Process());
    Ring<short, 4> ring; ring.Init(33);
    out("bytes", ring.Bytes());
    out("sizeof", sizeof(Tiling));
    Tiling s{(uint32_t)(in(2) & 127) + 1, (uint32_t)(in(1) & 15) + 1, {}, 0};
    Kernel<int16_t> ks;
    ks.Init(s, in(0));
    out("symbolic", ks.Process());
}
