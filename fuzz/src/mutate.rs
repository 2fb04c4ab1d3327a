//! Mutations that keep inputs readable: of words, numbers and lines rather than of bytes.

use std::ops::Range;

use a2lint::isa::{DType, INSTRUCTIONS};

/// A pseudo-random sequence, the same on every machine.
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The low bits of such a sequence are its worst.
        ((self.0 >> 11) % bound.max(1) as u64) as usize
    }

    fn pick<'t, T>(&mut self, choices: &'t [T]) -> Option<&'t T> {
        choices.get(self.below(choices.len()))
    }
}

/// Numbers at which something ends.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "16",
    "32",
    "63",
    "64",
    "65",
    "127",
    "128",
    "255",
    "256",
    "4095",
    "4096",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "340282366920938463463374607431768211456",
    "0.5",
    "1e308",
    "1e999",
    "0x7fffffffffffffff",
    "0xFF",
];

/// Characters of two, three and four bytes, marks that combine, characters without width, turns of the writing
/// direction, other ends of lines: positions that count bytes meet them anywhere.
pub const UNICODE: &[&str] = &[
    "é",
    "行",
    "\u{fffd}",
    "🙂",
    "𝒳",
    "e\u{301}",
    "\u{200b}",
    "\u{202e}",
    "\u{2028}",
    "\u{e0041}",
    "\u{feff}",
];

/// One to four changes of an input.
pub fn mutate(data: &[u8], words: &[&str], random: &mut Random) -> Vec<u8> {
    let mut data = data.to_vec();
    for _ in 0..1 + random.below(4) {
        data = change(&data, words, random);
    }
    data
}

fn change(data: &[u8], words: &[&str], random: &mut Random) -> Vec<u8> {
    let parts = match random.below(4) {
        0 => lines(data),
        _ => tokens(data),
    };
    let Some(at) = random.pick(&parts).cloned() else {
        return words.first().unwrap_or(&"x").as_bytes().to_vec();
    };
    let other = random.pick(&parts).cloned().unwrap_or(at.clone());
    let piece = &data[other.clone()];
    match random.below(9) {
        0 => replaced(data, at, b""),
        1 => replaced(data, at, piece),
        2 => replaced(data, at.start..at.start, piece),
        3 => swapped(data, at, other),
        4 => replaced(data, at, word(words, random).as_bytes()),
        5 => replaced(data, at.start..at.start, word(words, random).as_bytes()),
        6 => number(data, &parts, random),
        7 => data[..at.start].to_vec(),
        _ => replaced(data, at.start..other.end.max(at.start), b""),
    }
}

fn word<'t>(words: &[&'t str], random: &mut Random) -> &'t str {
    match random.below(8) {
        0 | 1 => random.pick(NUMBERS).copied().unwrap_or("0"),
        2 => random.pick(UNICODE).copied().unwrap_or("é"),
        _ => random.pick(words).copied().unwrap_or("x"),
    }
}

/// Another number in the place of one.
fn number(data: &[u8], parts: &[Range<usize>], random: &mut Random) -> Vec<u8> {
    let is_number = |part: &&Range<usize>| data[part.start].is_ascii_digit();
    let numbers: Vec<&Range<usize>> = parts.iter().filter(is_number).collect();
    match random.pick(&numbers) {
        Some(&at) => {
            let new = random.pick(NUMBERS).copied().unwrap_or("0");
            replaced(data, at.clone(), new.as_bytes())
        }
        None => data.to_vec(),
    }
}

fn replaced(data: &[u8], at: Range<usize>, new: &[u8]) -> Vec<u8> {
    [&data[..at.start], new, &data[at.end..]].concat()
}

fn swapped(data: &[u8], a: Range<usize>, b: Range<usize>) -> Vec<u8> {
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    if first.end > second.start {
        return data.to_vec();
    }
    [
        &data[..first.start],
        &data[second.clone()],
        &data[first.end..second.start],
        &data[first],
        &data[second.end..],
    ]
    .concat()
}

/// Runs of letters, digits and spaces; other characters by themselves.
fn tokens(data: &[u8]) -> Vec<Range<usize>> {
    let kind = |byte: u8| match byte {
        b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => 0,
        b' ' | b'\t' => 1,
        0x80.. => 2,
        _ => 3,
    };
    ranges(data, |before, byte| {
        kind(before) != kind(byte) || kind(byte) == 3
    })
}

fn lines(data: &[u8]) -> Vec<Range<usize>> {
    ranges(data, |before, _| before == b'\n')
}

fn ranges(data: &[u8], is_border: impl Fn(u8, u8) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for at in 1..=data.len() {
        if at == data.len() || is_border(data[at - 1], data[at]) {
            found.push(start..at);
            start = at;
        }
    }
    found
}

/// Words of kernels: the names of the instruction table, and the words around them.
pub fn kernel_words() -> Vec<&'static str> {
    let rows = INSTRUCTIONS.iter();
    let parameters = rows.clone().flat_map(|row| row.params()).map(|it| it.name);
    let types = DType::ALL.iter().map(|dtype| dtype.name());
    rows.map(|row| row.name)
        .chain(parameters)
        .chain(types)
        .chain(KERNEL_WORDS.iter().copied())
        .collect()
}

const KERNEL_WORDS: &[&str] = &[
    " <<= ",
    " += ",
    "Var(",
    "Tensor(",
    "DBuff(",
    "QBuff(",
    "Position.UB",
    "Position.L0C",
    "range(",
    "unroll(",
    "for i in ",
    "if ",
    "else:",
    "while True:",
    "return ",
    "[0:64, 0:8]",
    "[",
    "]",
    "(",
    ")",
    ":",
    ",",
    " // ",
    " % ",
    " / ",
    " * ",
    " - ",
    ".T",
    ".reinterpret(DT.int8)",
    "Min(",
    "Max(",
    "CeilDiv(",
    "GetVecIdx()",
    "GetSubBlockIdx()",
    "count=",
    "repeat=",
    "\n",
    "\n    ",
    "auto_sync()",
    "with ",
    "GMTensor",
    "CvMutex(",
    "SEvent(",
    "preset=True",
    "Pipe.V",
    "Pipe.MTE2",
    "lambda x: x",
    "[x for x in y]",
    "None",
    "True",
    "\"",
    "'",
    "\"\"\"",
    "#",
    "# a2lint: ignore[COV001]",
    "# a2lint: launch(M=64)",
    "def f(x):",
    "@kernel()",
    "@func()",
    "class A:",
    "*args",
    "**",
    "🙂",
    "\\",
    "\t",
    "\r\n",
    ".shape[0]",
    ".span",
    "split_workspace(",
];

/// Words of PTX.
pub fn ptx_words() -> Vec<&'static str> {
    [
        "tcgen05.mma.ws",
        ".cta_group::1",
        ".kind::f16",
        ".collector::b0::fill",
        "mov.b64 ",
        "mov.b32 ",
        "shl.b64 ",
        "or.b64 ",
        "add.s32 ",
        "bfe.u32 ",
        "bra ",
        "@%p1 ",
        "@!%p1 ",
        ".reg .b64 %rd<9>;",
        ".entry f()",
        ".func ",
        ".target sm_100a",
        ".version 8.7",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ",",
        "%rd1",
        "%r1",
        "%p1",
        "$L1:",
        "/*",
        "*/",
        "//",
        "\"",
        "\n",
        "0f3F800000",
        ".visible",
        ".param",
        "setp.ne.u32 ",
        "selp.b64 ",
        "ret;",
    ]
    .to_vec()
}

/// Words of PTO assembly and MLIR.
pub fn pto_words() -> Vec<&'static str> {
    [
        "tsel",
        "pto.tsel",
        "pto.tcmp",
        "tassign",
        "!pto.tile_buf<",
        "ins(",
        "outs(",
        "%0",
        " = ",
        "loc=vec",
        "dtype=f32",
        "rows=",
        "cols=",
        "v_row=",
        "-> ",
        "{",
        "}",
        "(",
        ")",
        "<",
        ">",
        ":",
        ",",
        "func.func @f",
        "module",
        "return",
        "\"",
        "//",
        "\n",
        "arith.constant ",
        ": index",
        "scf.for",
        "#pto.",
        "?",
    ]
    .to_vec()
}

/// Words of C++ and CUDA with our instructions.
pub fn cpp_words() -> Vec<&'static str> {
    [
        "GatherMask(",
        "TSEL(",
        "TCMP(",
        "TASSIGN(",
        "TSELS(",
        "asm volatile(",
        "tcgen05.mma.ws",
        "\"r\"(x)",
        "\"l\"(y)",
        "\"n\"(4)",
        "constexpr ",
        "template <typename T> ",
        "if (",
        "for (",
        "while (",
        "switch (",
        "case ",
        "return ",
        "{",
        "}",
        "(",
        ")",
        ";",
        ",",
        "::",
        "<",
        ">",
        "#define X(a) a##a",
        "#if 0",
        "#endif",
        "\\\n",
        "/*",
        "*/",
        "//",
        "\"",
        "'",
        "R\"(",
        "__aicore__ ",
        "LocalTensor<half>",
        "Tile<TileType::Vec, float, 16, 64>",
        "uint64_t",
        "auto ",
        "&",
        "*",
        " + ",
        " << ",
        " % ",
        " / ",
        "goto x;",
        "try {",
        "lambda",
        "GatherMaskParams",
        "SetFlag<HardEvent::V_MTE3>(0);",
        "pipe_barrier(PIPE_V);",
        "🙂",
    ]
    .to_vec()
}

/// Words of configuration.
pub fn config_words() -> Vec<&'static str> {
    [
        "[tool.a2lint]",
        "select",
        "extend-select",
        "ignore",
        "pedantic",
        "device",
        "replay",
        "exclude",
        "docs-url",
        "baseline",
        "[per-file-ignores]",
        "[rules]",
        "\"error\"",
        "\"warn\"",
        "\"b1\"",
        "\"a3\"",
        "COV001",
        "\"COV\"",
        "dup-coverage",
        " = ",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'''",
        "true",
        "#",
        "\n",
        "**",
        "/",
        "!",
        "\\",
        "[!a-",
        "{a,b",
        "a2lint",
        "1979-05-27",
        ".",
    ]
    .to_vec()
}

/// Words of the debug adapter protocol.
pub fn debugger_words() -> Vec<&'static str> {
    [
        "\"seq\"",
        "\"type\"",
        "\"command\"",
        "\"arguments\"",
        "\"threadId\"",
        "\"frameId\"",
        "\"expression\"",
        "\"variablesReference\"",
        "\"condition\"",
        "\"hitCondition\"",
        "\"breakpoints\"",
        "\"dataId\"",
        "\"memoryReference\"",
        "\"filters\"",
        "\"race\"",
        "\"nan\"",
        "next",
        "stepIn",
        "stepOut",
        "stepBack",
        "continue",
        "reverseContinue",
        "evaluate",
        "setVariable",
        "readMemory",
        "disassemble",
        "a2lint.whoWrote",
        "a2lint.goTo",
        "done[at][0:2, ::3]",
        "x[-1, 0:64:8]",
        "sum(tile) / len(tile)",
        "2 ** 70",
        "core 0 vec1 iteration 0, *",
        "1:ub 0 64",
        "gm0 0 9999999999",
        "null",
        "{}",
        "[]",
        "true",
        "-1",
        "9223372036854775807",
    ]
    .to_vec()
}

/// Words of files that import one another.
pub fn project_words() -> Vec<&'static str> {
    [
        "=== ",
        "=== k.py",
        "=== pkg/__init__.py",
        "=== pkg/tiles.py",
        "=== tiles.py",
        "=== tests/test_k.py",
        "import ",
        "from ",
        "from . import ",
        "from .. import ",
        "from .tiles import *",
        "from pkg.tiles import R as rows",
        "import pkg.tiles",
        "pkg.tiles.R",
        "__all__ = ['R']",
        "if TYPE_CHECKING:",
        "try:",
        "except ImportError:",
        "@func()",
        "@kernel(mode='vec')",
        "OpExec(k, '')(x, y)",
        "R = 1 << 40",
        "def helper(t):",
        "lambda n: n",
    ]
    .to_vec()
}

/// Words of calls by coding agents.
pub fn mcp_words() -> Vec<&'static str> {
    [
        "\"jsonrpc\"",
        "\"id\"",
        "\"method\"",
        "\"params\"",
        "\"arguments\"",
        "\"name\"",
        "\"source\"",
        "\"bind\"",
        "\"select\"",
        "\"kernel\"",
        "\"launch\"",
        "\"device\"",
        "\"max_bytes\"",
        "\"rule\"",
        "tools/call",
        "tools/list",
        "notifications/cancelled",
        "check",
        "prove",
        "run",
        "test",
        "explain",
        "fix",
        "cost",
        "PRF",
        "1e308",
        "null",
        "{}",
        "[]",
        "true",
        "-1",
        "9223372036854775807",
        "\\ud83d",
        "\\n",
    ]
    .to_vec()
}

/// Words of contracts above kernels.
pub fn contract_words() -> Vec<&'static str> {
    [
        "# a2lint: assume(",
        "# a2lint: shapes(",
        "# a2lint: launch(",
        "M >= 1",
        "M % 64 == 0",
        "N == 2 * M",
        "M in (1, 2)",
        "0 < M <= N < 4096",
        "x=half[M, N]",
        "y=float[M, ceil(N / 64)]",
        "block_dim=4",
        "M // 0",
        "M ** 99",
        " and ",
        " or ",
        "not ",
        "min(M, N)",
        "GetCubeNum()",
        "9223372036854775807",
        "-9223372036854775808",
    ]
    .to_vec()
}

/// Words of the editor protocol.
pub fn session_words() -> Vec<&'static str> {
    [
        "\"jsonrpc\"",
        "\"id\"",
        "\"method\"",
        "\"params\"",
        "\"textDocument\"",
        "\"uri\"",
        "\"position\"",
        "\"line\"",
        "\"character\"",
        "\"range\"",
        "\"text\"",
        "\"version\"",
        "\"contentChanges\"",
        "null",
        "{}",
        "[]",
        "true",
        "-1",
        "\\ud83d",
        "\\ud83d\\ude42",
        "\\n",
        "textDocument/hover",
        "textDocument/rename",
        "textDocument/inlayHint",
        "textDocument/completion",
        "textDocument/didClose",
        "workspace/executeCommand",
        "shutdown",
        "exit",
        "$/cancelRequest",
        "initialize",
        "file:///",
        "a2lint.run",
        "utf-8",
        "\n",
        "Content-Length: 9\r\n\r\n",
        "\r\n",
        "Content-Type: x\r\n",
    ]
    .to_vec()
}
