int classify(int x) {
    switch (x) {
        case 0: return 10;
        case 1:
        case 2: x += 5; break;
        case 3: x *= 2; [[fallthrough]];
        case 4: x += 100; break;
        default: x = -1;
    }
    return x;
}
int search(const int *values, int n, int wanted) {
    for (int i = 0; i < n; ++i) {
        if (values[i] == wanted) { return i; }
    }
    return -1;
}
int collatz(int n) { int steps = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; ++steps; } return steps; }
void program() {
    for (int i = 0; i < 6; i++) { out("classify", classify(i)); }
    int values[] = {4, 8, 15, 16, 23, 42};
    out("search", search(values, 6, 16) * 10 + search(values, 6, 5));
    out("collatz", collatz(27));
    int total = 0;
    for (int i = 0; i < 10; i++) {
        if (i == 3) continue;
        if (i == 7) break;
        total = total * 10 + i;
    }
    out("loop", total);
    int n = 0;
    do { n += 3; } while (n < 10);
    out("do", n);
    int pairs = 0;
    for (int i = 0, j = 10; i < j; i++, j--) pairs += i * j;
    out("pairs", pairs);
    for (uint8_t k = 250; k != 3; k++) { total++; }
    out("wrap", total);
    int depth = 0;
    for (int a = 0; a < 3; a++) { for (int b = 0; b < 3; b++) { if (b == 2) break; if (a == 1) continue; depth += a * 10 + b; } }
    out("nested", depth);
    if (int z = total % 7; z > 2) { out("init", z); } else { out("init", -z); }
    int sum = 0;
    for (int i = 0; i < 100; i++) sum += i;
    out("hundred", sum);
    unsigned u = 5;
    while (u--) { sum += u; }
    out("down", sum);
    constexpr int limit = 3;
    int grid[limit][limit];
    for (int i = 0; i < limit; i++) for (int j = 0; j < limit; j++) grid[i][j] = i * limit + j;
    out("grid", grid[2][1] + grid[1][2]);
    for (;;) { if (++n > 20) break; }
    out("forever", n);
    int k = 3;
    while (true) { switch (k) { case 0: k = -1; break; default: k--; continue; } break; }
    out("switchloop", k);
}
