//! Languages in, programs and mask operations out.

pub mod easyasc;

use crate::ir::MaskOperations;
use crate::language::Language;
use crate::text::SourceText;

/// The mask instructions of a file in a language other than the DSL.
pub fn mask_operations(_source: &SourceText, language: Language) -> MaskOperations {
    match language {
        Language::Easyasc
        | Language::Cpp
        | Language::Cuda
        | Language::Pto
        | Language::Mlir
        | Language::Ptx => MaskOperations::default(),
    }
}
