//! The languages that kernels are written in: their file extensions, comments and marker words.

use std::path::Path;

/// A language that a front end reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// Python with the easyasc DSL.
    #[default]
    Easyasc,
    /// C++: AscendC kernels, PTO tiles, headers with inline assembly.
    Cpp,
    /// CUDA C++: inline assembly, and C++ of the above kinds that is built for several devices.
    Cuda,
    /// PTO assembly.
    Pto,
    /// MLIR with the PTO dialect.
    Mlir,
    /// PTX modules.
    Ptx,
}

impl Language {
    /// Every language.
    pub const ALL: &'static [Language] = &[
        Language::Easyasc,
        Language::Cpp,
        Language::Cuda,
        Language::Pto,
        Language::Mlir,
        Language::Ptx,
    ];

    /// Returns the language of a file by its extension; `None` for an unknown one.
    pub fn of_path(path: &Path) -> Option<Language> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Language::ALL
            .iter()
            .copied()
            .find(|language| language.extensions().contains(&extension.as_str()))
    }

    /// Returns a name for a kernel that has no file, by its text.
    pub fn file_of_text(text: &str) -> &'static str {
        match text.contains("__aicore__") {
            true => "kernel.cpp",
            false => "kernel.py",
        }
    }

    /// Returns the file extensions of the language, without the dot.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Language::Easyasc => &["py"],
            Language::Cpp => &["cpp", "cc", "h", "hpp", "cce", "asc"],
            Language::Cuda => &["cu", "cuh"],
            Language::Pto => &["pto"],
            Language::Mlir => &["mlir"],
            Language::Ptx => &["ptx"],
        }
    }

    /// Returns the token that starts a comment that ends with the line.
    pub fn line_comment(self) -> &'static str {
        match self {
            Language::Easyasc => "#",
            Language::Cpp | Language::Cuda | Language::Pto | Language::Mlir | Language::Ptx => "//",
        }
    }

    /// Returns words of which a relevant file of the language contains at least one; empty if the extension alone
    /// makes a file relevant. Most C++ files are irrelevant, and this rejects them without parsing.
    pub fn markers(self) -> &'static [&'static str] {
        match self {
            Language::Cpp => KERNELS,
            Language::Cuda => MASK_INSTRUCTIONS,
            Language::Easyasc | Language::Pto | Language::Mlir | Language::Ptx => &[],
        }
    }
}

/// The instructions that CUDA sources are read for.
const MASK_INSTRUCTIONS: &[&str] = &["TSEL", "TCMP", "TASSIGN", "tcgen05"];

/// The words that select C++ sources: mask instructions, and words of files with kernels of AscendC.
const KERNELS: &[&str] = &[
    "TSEL",
    "TCMP",
    "TASSIGN",
    "tcgen05",
    "kernel_operator.h",
    "AscendC",
    "__aicore__",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_name_one_language_each() {
        for &language in Language::ALL {
            for extension in language.extensions() {
                let path = format!("dir.py/kernel.{extension}");
                assert_eq!(Language::of_path(Path::new(&path)), Some(language));
            }
        }
        assert_eq!(Language::of_path(Path::new("K.CU")), Some(Language::Cuda));
        for other in ["Makefile", "a.txt", ".ptx", "ptx"] {
            assert_eq!(Language::of_path(Path::new(other)), None, "{other}");
        }
    }
}
