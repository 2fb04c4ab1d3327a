//! The text that is read before every translation unit, and the names that no text declares.

use std::sync::LazyLock;

use a2lint_cpp::eval::STANDARD;
use a2lint_cpp::syntax::{Prelude, Settings};
use a2lint_isa::Side;

/// Macros of the compiler for A2.
const MACROS: &[(&str, &str)] = &[
    ("__CCE_AICORE__", "220"),
    ("__NPU_ARCH__", "2201"),
    ("__CCE__", "1"),
    ("__CCE_IS_AICORE__", "1"),
    ("__cplusplus", "201703L"),
    ("__DAV_C220__", "1"),
    ("__bf16", "bfloat16_t"),
];

/// Macros of the compiler for one side.
pub const fn side_macros(side: Side) -> &'static [(&'static str, &'static str)] {
    match side {
        Side::Cube => &[("__DAV_C220_CUBE__", "1"), ("__DAV_CUBE__", "1")],
        Side::Vec | Side::Both => &[("__DAV_C220_VEC__", "1"), ("__DAV_VEC__", "1")],
    }
}

/// Types of the API.
const TYPES: &[&str] = &[
    "half",
    "bfloat16_t",
    "int4b_t",
    "TPipe",
    "TBufPool",
    "Mc2InitTiling",
    "Mc2CcTiling",
];

/// Types of members that kernels pass on without accessing their fields.
pub const OPAQUE: &[&str] = &["Mc2InitTiling", "Mc2CcTiling"];

/// Class templates of the API.
const TEMPLATES: &[&str] = &[
    "LocalTensor",
    "GlobalTensor",
    "TQue",
    "TQueBind",
    "TQueSync",
    "TBuf",
    "LocalMemAllocator",
];

/// Methods and functions of the API that take template arguments and that the prelude does not declare.
const FUNCTIONS: &[&str] = &[
    "AllocTensor",
    "DeQue",
    "EnQue",
    "Get",
    "GetWithOffset",
    "ReinterpretCast",
    "AllocEventID",
    "FetchEventID",
    "ReleaseEventID",
    "Alloc",
];

/// Returns whether a name is one of the API: macros of a kernel have others.
pub fn declares(name: &str) -> bool {
    let text = settings().prelude;
    let mut found = text.match_indices(name);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    found.any(|(at, _)| {
        let (before, after) = (text.get(..at), text.get(at + name.len()..));
        before.is_some_and(|it| !it.ends_with(is_word))
            && after.is_some_and(|it| !it.starts_with(is_word))
    })
}

/// Returns what is read before every translation unit: the standard library, the API, and names and macros that no
/// text declares.
pub fn shared() -> &'static Prelude {
    static SHARED: LazyLock<Prelude> = LazyLock::new(|| Prelude::of(settings()));
    &SHARED
}

fn settings() -> Settings<'static> {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let api = [include_str!("prelude.h"), include_str!("matmul.h")];
        format!("{STANDARD}\n{}\n", api.join("\n"))
    });
    Settings {
        macros: MACROS,
        prelude: &TEXT,
        types: TYPES,
        templates: TEMPLATES,
        functions: FUNCTIONS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_cpp::syntax::{Source, read};
    use a2lint_source::text::SourceText;

    #[test]
    fn the_prelude_is_read_whole() {
        let source = Source {
            path: "kernel.cpp".into(),
            text: SourceText::new("int x;"),
            base: 0,
        };
        let unit = read(source, &settings(), &mut |_, _| None);
        assert_eq!(unit.errors, []);
        assert_eq!(unit.notes, []);
        assert!(unit.items.len() > 30, "{}", unit.items.len());
    }
}
