//! The languages that kernels are written in: which files hold them, how their comments start.

use std::path::Path;

/// A language that a front end reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// Python with the easyasc DSL.
    #[default]
    Easyasc,
    /// C++: AscendC kernels, PTO tiles, headers with inline assembly.
    Cpp,
    /// CUDA C++: inline assembly, and whatever of the above is built for several devices.
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

    /// The language of a file, by the extension of its name.
    pub fn of_path(path: &Path) -> Option<Language> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Language::ALL
            .iter()
            .copied()
            .find(|language| language.extensions().contains(&extension.as_str()))
    }

    /// Extensions of its files, without the dot.
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

    /// What starts a comment that ends with the line.
    pub fn line_comment(self) -> &'static str {
        match self {
            Language::Easyasc => "#",
            Language::Cpp | Language::Cuda | Language::Pto | Language::Mlir | Language::Ptx => "//",
        }
    }

    /// Words of which a file holds at least one if it is for us. Most C++ is not, and finding that
    /// out must cost nothing. Empty where the extension says enough.
    pub fn markers(self) -> &'static [&'static str] {
        match self {
            Language::Cpp => KERNELS,
            Language::Cuda => MASK_INSTRUCTIONS,
            Language::Easyasc | Language::Pto | Language::Mlir | Language::Ptx => &[],
        }
    }
}

/// The instructions that CUDA sources are read for.
const MASK_INSTRUCTIONS: &[&str] = &["GatherMask", "TSEL", "TCMP", "TASSIGN", "tcgen05"];

/// The same, and words of files with kernels of AscendC.
const KERNELS: &[&str] = &[
    "GatherMask",
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
