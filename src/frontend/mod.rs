//! Languages in, programs and mask operations out.

pub mod easyasc;
pub mod ptx;

use crate::ir::{MaskOperations, NotAnalysed};
use crate::language::Language;
use crate::text::SourceText;

/// Number of places that do not parse. A fix must not add to them.
pub fn syntax_errors(source: &SourceText, language: Language) -> usize {
    match language {
        Language::Easyasc => crate::syntax::python::parse(source).errors.len(),
        Language::Ptx => {
            let tree = crate::syntax::ptx::parse_tree(source.as_str());
            usize::from(tree.is_none_or(|tree| tree.root_node().has_error()))
        }
        Language::Cpp | Language::Cuda | Language::Pto | Language::Mlir => 0,
    }
}

/// The mask instructions of a file in a language other than the DSL, and what of them could not be
/// read.
pub fn mask_operations(
    source: &SourceText,
    language: Language,
) -> (MaskOperations, Vec<NotAnalysed>) {
    let mut masks = MaskOperations::default();
    let mut gaps = Vec::new();
    match language {
        Language::Ptx => (masks.mma, gaps) = ptx::module(source),
        Language::Easyasc | Language::Cpp | Language::Cuda | Language::Pto | Language::Mlir => {}
    }
    (masks, gaps)
}
