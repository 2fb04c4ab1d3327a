//! Evaluation of C++ at trace time: exact, or unknown at a named place.
//!
//! [`Eval`] walks typed syntax. What is known is computed with C++'s types on LP64; what parameters or data decide is a
//! scalar of the program under construction, and control over it becomes control of that program.
//!
//! # Invariants
//! - The scalar of a value mentions only variables that are not assigned any more where it is used. Cells that a block
//!   of the program changes are *bound* to variables, and reads of them are captured ([`blocks`]).
//! - A block of the program is evaluated until the cells that it changes are known in advance; what former
//!   evaluations did is undone ([`memory`], [`a2lint_ir::build::Checkpoint`]).
//! - Steps, depth, cells and unrolled iterations are bounded; each bound is an [`Abort`] with its name.
//! - Undefined behaviour makes the value unknown.

mod access;
mod blocks;
mod interface;
mod limits;
mod memory;
pub mod types;
mod values;

pub use limits::Abort;
pub use types::{
    AddressSpace, ClassId, Constant, EnumId, FloatType, FunctionType, IntType, Kind, LibraryType,
    TemplateArg, TemplateId, Ty,
};
pub use values::{
    BraceOperand, CellId, Closure, FloatValue, FunctionId, IntValue, Operand, Overloads, Place,
    Pointer, ScalarList, Value,
};

use a2lint_ir::build::Builder;
use rustc_hash::FxHashMap;

use crate::library::Library;
use crate::syntax::ast::Unit;
use blocks::{Block, BlockKey, Changes};
use limits::Limits;
use memory::Memory;

/// Evaluates functions of a translation unit.
pub struct Eval<'u> {
    /// The program under construction.
    pub builder: Builder,
    pub(crate) library: &'u dyn Library,
    pub(crate) memory: Memory,
    pub(crate) blocks: Vec<Block>,
    /// What blocks were found to change, so that blocks around them find it at once.
    pub(crate) remembered: FxHashMap<BlockKey, Changes>,
    pub(crate) limits: Limits,
    pub(crate) units: Vec<&'u Unit>,
}

impl<'u> Eval<'u> {
    /// Starts with the declarations of units in order: the library's prelude, then the translation unit.
    pub fn new(units: &[&'u Unit], library: &'u dyn Library, builder: Builder) -> Eval<'u> {
        Eval {
            builder,
            library,
            memory: Memory::default(),
            blocks: Vec::new(),
            remembered: FxHashMap::default(),
            limits: Limits::default(),
            units: units.to_vec(),
        }
    }
}
