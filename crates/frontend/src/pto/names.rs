//! Names of tile instructions, and the pipes that execute them.

use a2lint_ir::tile::TilePipe;

/// Instructions of the vector pipe, without the leading `T`.
const VECTOR: &[&str] = &[
    "ABS",
    "ADD",
    "ADDC",
    "ADDS",
    "ADDSC",
    "AND",
    "ANDS",
    "CI",
    "CMP",
    "CMPS",
    "COLEXPAND",
    "COLMAX",
    "COLMIN",
    "COLSUM",
    "CVT",
    "DIV",
    "DIVS",
    "EXP",
    "EXPANDS",
    "FILLPAD",
    "FMOD",
    "FMODS",
    "GATHER",
    "GATHERB",
    "LOG",
    "LRELU",
    "MAX",
    "MAXS",
    "MIN",
    "MINS",
    "MRGSORT",
    "MUL",
    "MULS",
    "NEG",
    "NOT",
    "OR",
    "ORS",
    "PARTADD",
    "PARTMAX",
    "PARTMIN",
    "PRELU",
    "RECIP",
    "RELU",
    "REM",
    "REMS",
    "ROWEXPAND",
    "ROWEXPANDDIV",
    "ROWEXPANDMUL",
    "ROWEXPANDSUB",
    "ROWMAX",
    "ROWMIN",
    "ROWSUM",
    "RSQRT",
    "SEL",
    "SELS",
    "SHL",
    "SHLS",
    "SHR",
    "SHRS",
    "SORT32",
    "SQRT",
    "SUB",
    "SUBC",
    "SUBS",
    "SUBSC",
    "TRANS",
    "XOR",
    "XORS",
];

/// Instructions after which the first operand is another view of the second one.
const VIEWS: &[&str] = &["TRESHAPE", "TALIAS", "TSUBVIEW", "TSUBSET", "TBIND"];

/// Instructions that return a tile of a pipe; the pipe may come before or after the tile.
const FROM_PIPE: &[&str] = &["TPOP", "TALLOC"];

/// Returns whether a name is spelled like a tile instruction.
pub fn is_tile_instruction(name: &str) -> bool {
    let mut bytes = name.bytes();
    name.len() > 2
        && bytes.next() == Some(b'T')
        && bytes.all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Returns whether an instruction rebinds its first operand.
pub fn makes_view(name: &str) -> bool {
    VIEWS.contains(&name)
}

/// Returns whether an instruction places a tile that it takes from a pipe.
pub fn takes_from_pipe(name: &str) -> bool {
    FROM_PIPE.contains(&name)
}

/// Returns the pipe of an operation, by its enumerator or its name in capitals.
pub fn pipe(name: &str) -> Option<TilePipe> {
    let short = name.strip_prefix('T')?;
    Some(match short {
        "LOAD" => TilePipe::Mte2,
        "STORE_VEC" => TilePipe::Mte3,
        "STORE_ACC" => TilePipe::Fix,
        "EXTRACT" => TilePipe::Mte1,
        _ if short.starts_with("MATMUL") => TilePipe::M,
        _ if VECTOR.contains(&short) => TilePipe::V,
        _ => return None,
    })
}

/// Returns whether a free function neither synchronises nor touches tiles.
pub fn is_harmless(name: &str) -> bool {
    [
        "get_",
        "set_mask_",
        "set_vector_mask",
        "set_atomic",
        "set_st_atomic",
    ]
    .iter()
    .any(|start| name.starts_with(start))
        || matches!(
            name,
            "printf"
                | "cce_printf"
                | "assert"
                | "min"
                | "max"
                | "ceil"
                | "static_assert"
                | "PTO_CEIL"
                | "move"
                | "forward"
                | "Shape"
                | "Stride"
        )
}

/// Returns the operations that events are between, as C++ names them.
pub fn operations() -> Vec<String> {
    const OTHERS: [&str; 8] = [
        "LOAD",
        "STORE_VEC",
        "STORE_ACC",
        "STORE_MAT",
        "EXTRACT",
        "MOV",
        "MATMUL",
        "MATMUL_ACC",
    ];
    let names = VECTOR.iter().chain(&OTHERS);
    names.map(|name| format!("T{name}")).collect()
}
