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
mod arithmetic;
mod assignments;
mod blocks;
mod branches;
mod calls;
mod choices;
mod class_deduction;
mod classes;
mod conversions;
mod counting;
mod deduction;
mod dispatch;
mod exits;
mod expressions;
mod folds;
mod frame;
mod functions;
mod initialisation;
mod interface;
mod invocations;
mod keeps;
mod lambdas;
mod limits;
mod loops;
mod members;
mod memory;
mod names;
mod objects;
mod operators;
mod overloads;
mod pointers;
mod ranges;
mod resolve;
mod roots;
mod splits;
mod statements;
mod substitution;
mod templates;
pub mod types;
mod unknown;
mod values;
mod visit;
mod words;

pub use access::ConstantArray;
pub use limits::Abort;
pub use types::{
    AddressSpace, ClassId, Constant, EnumId, FloatType, FunctionType, IntType, Kind, LibraryType,
    TemplateArg, TemplateId, Ty,
};
pub use values::{
    BraceOperand, CellId, Closure, FloatValue, FunctionId, IntValue, Operand, Overloads, Place,
    Pointer, ScalarList, Value,
};
pub use visit::names_in_block;

use std::rc::Rc;

use a2lint_ir::build::Builder;
use a2lint_source::text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::library::Library;
use crate::syntax::ast::{Function, Name, Unit, Variable};
use blocks::{Block, BlockKey, Changes};
use classes::{ClassInfo, Members};
use frame::Frame;
use functions::FunctionInfo;
use lambdas::ClosureInfo;
use limits::Limits;
use loops::LoopStrategy;
use memory::Memory;
use names::{Context, ContextKind, Namespace, NamespaceId};
use resolve::{EnumInfo, Instances, TemplateInfo};
use splits::Splits;
use substitution::Failure;
use types::ClosureId;

/// Declarations of the standard library that kernels use. They precede every translation unit.
pub const STANDARD: &str = include_str!("standard.h");

/// Identifies a declaration by its address in the syntax, with the arguments of templates around it.
type Key = (usize, Vec<TemplateArg>);

/// Evaluates functions of a translation unit.
pub struct Eval<'u> {
    /// The program under construction.
    pub builder: Builder,
    pub(crate) library: &'u dyn Library,
    pub(crate) memory: Memory,
    pub(crate) blocks: Vec<Block>,
    /// The cells that blocks were found to change; the next evaluation of a block starts with them.
    pub(crate) remembered: FxHashMap<BlockKey, Changes>,
    /// How loops were evaluated, by their statement and the calls and unrolled iterations around them.
    pub(crate) loop_strategies: FxHashMap<(u32, u64), LoopStrategy>,
    /// The calls and unrolled iterations around what is evaluated.
    pub(crate) path: u64,
    /// Cells that were read, while that is recorded.
    pub(crate) reads: Option<FxHashSet<CellId>>,
    /// For each open test for side effects: the number of cells at its start, and whether a cell older than that was
    /// stored to.
    pub(crate) watches: Vec<(usize, bool)>,
    /// Whether only types are evaluated: functions with a declared return type are not entered.
    pub(crate) is_typing: bool,
    /// Whether an index that must be constant was not; the enclosing loop is then unrolled.
    pub(crate) wants_constants: bool,
    /// Whether a store is being evaluated whose array element is chosen by a scalar of the program.
    pub(crate) is_chosen_store: bool,
    pub(crate) limits: Limits,
    pub(crate) namespaces: Vec<Namespace<'u>>,
    /// Members and functions that are defined outside of their class or namespace, by name.
    pub(crate) outside: FxHashMap<Name, Vec<(&'u Function, NamespaceId)>>,
    /// Specialisations of member templates outside of their class, by name.
    pub(crate) outside_templates: FxHashSet<Name>,
    pub(crate) outside_variables: Vec<(&'u Variable, NamespaceId)>,
    pub(crate) classes: Vec<ClassInfo<'u>>,
    pub(crate) class_ids: FxHashMap<Key, ClassId>,
    pub(crate) members: FxHashMap<usize, Rc<Members<'u>>>,
    pub(crate) enums: Vec<EnumInfo<'u>>,
    pub(crate) enum_ids: FxHashMap<(usize, usize), EnumId>,
    pub(crate) templates: Vec<TemplateInfo<'u>>,
    pub(crate) template_ids: FxHashMap<(usize, usize), TemplateId>,
    pub(crate) instances: Instances,
    pub(crate) functions: Vec<FunctionInfo<'u>>,
    pub(crate) function_ids: FxHashMap<(usize, usize), FunctionId>,
    pub(crate) function_instances: FxHashMap<(FunctionId, Vec<TemplateArg>), FunctionId>,
    pub(crate) closures: Vec<ClosureInfo<'u>>,
    /// The lambdas that are evaluated because unknown code has received them.
    pub(crate) reading: Vec<ClosureId>,
    /// Return types that were deduced from `return`.
    pub(crate) return_types: FxHashMap<(usize, Vec<Ty>), Option<Ty>>,
    /// Objects with static storage.
    pub(crate) static_locals: FxHashMap<Key, (CellId, Ty)>,
    pub(crate) frame: Frame<'u>,
    /// The index of the pack element that is being expanded.
    pub(crate) pack_index: Option<usize>,
    /// Objects to destroy at the end of the expression.
    pub(crate) temporaries: Vec<(CellId, Ty, Span)>,
    /// Objects whose constructors are running: their dynamic type is that of the constructor.
    pub(crate) constructing: Vec<CellId>,
    /// What is known where statements are followed apart.
    pub(crate) splits: Splits,
    /// The conditions of `static_assert` that do not hold.
    pub(crate) refused: Vec<Span>,
    /// What a name or template argument that could not be resolved means for the candidate that is tried.
    pub(crate) failure: Failure,
}

impl<'u> Eval<'u> {
    /// Creates an evaluator that knows the declarations of these units, in order.
    pub fn new(units: &[&'u Unit], library: &'u dyn Library, builder: Builder) -> Eval<'u> {
        let root = Rc::new(Context {
            parent: None,
            kind: ContextKind::Namespace(NamespaceId(0)),
        });
        let mut eval = Eval {
            builder,
            library,
            memory: Memory::default(),
            blocks: Vec::new(),
            remembered: FxHashMap::default(),
            loop_strategies: FxHashMap::default(),
            path: 0,
            reads: None,
            watches: Vec::new(),
            is_typing: false,
            wants_constants: false,
            is_chosen_store: false,
            limits: Limits::default(),
            namespaces: Vec::new(),
            outside: FxHashMap::default(),
            outside_templates: FxHashSet::default(),
            outside_variables: Vec::new(),
            classes: Vec::new(),
            class_ids: FxHashMap::default(),
            members: FxHashMap::default(),
            enums: Vec::new(),
            enum_ids: FxHashMap::default(),
            templates: Vec::new(),
            template_ids: FxHashMap::default(),
            instances: Instances::default(),
            functions: Vec::new(),
            function_ids: FxHashMap::default(),
            function_instances: FxHashMap::default(),
            closures: Vec::new(),
            reading: Vec::new(),
            return_types: FxHashMap::default(),
            static_locals: FxHashMap::default(),
            frame: Frame::new(root),
            pack_index: None,
            temporaries: Vec::new(),
            constructing: Vec::new(),
            splits: Splits::default(),
            refused: Vec::new(),
            failure: Failure::No,
        };
        let global = eval.new_namespace(None);
        eval.frame.context = eval.namespaces[global.0 as usize].context.clone();
        for unit in units {
            eval.declare_unit(unit);
        }
        eval
    }
}
