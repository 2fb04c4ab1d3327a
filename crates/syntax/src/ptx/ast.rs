//! Typed PTX syntax. Every node has a span, and words borrow from the text.

use a2lint_source::text::Span;

/// A module, or a fragment of one: the text of an `asm` statement.
#[derive(Debug, Default)]
pub struct Module<'t> {
    /// `.version 8.6`.
    pub version: Option<Version>,
    /// `.target sm_100a, debug`.
    pub targets: Vec<Word<'t>>,
    /// Functions, in source order.
    pub functions: Vec<Function<'t>>,
    /// Statements before the first function, which is all that a fragment has. Statements after a function count as
    /// its own, since a stray brace may have closed it early.
    pub statements: Vec<Statement<'t>>,
    /// Words that could not be read, in source order; they may overlap.
    pub damaged: Vec<Word<'t>>,
    /// Whether the text was not parsed because it is too large.
    pub refused: bool,
}

/// The PTX version of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// The number before the dot.
    pub major: u32,
    /// The number after the dot.
    pub minor: u32,
    /// The span of the whole number.
    pub span: Span,
}

/// A word of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// The characters of the word.
    pub text: &'t str,
    /// The span in the text.
    pub span: Span,
}

/// A function.
#[derive(Debug)]
pub struct Function<'t> {
    /// Whether it is an entry point (`.entry`), which the host can launch.
    pub entry: bool,
    /// The name.
    pub name: Word<'t>,
    /// The whole function.
    pub span: Span,
    /// Parameters and return values that are registers.
    pub registers: Vec<Declaration<'t>>,
    /// The statements of the function.
    pub body: Vec<Statement<'t>>,
}

/// A statement.
#[derive(Debug)]
pub enum Statement<'t> {
    /// `DONE:`.
    Label,
    /// A declaration of registers.
    Registers(Declaration<'t>),
    /// An instruction.
    Instruction(Instruction<'t>),
    /// `{ … }`.
    Block(Vec<Statement<'t>>),
}

/// `.reg .b64 %rd<8>, %mask;`.
#[derive(Debug)]
pub struct Declaration<'t> {
    /// The scalar type, such as `.b64`; vector types and attributes are left out.
    pub scalar_type: Option<Word<'t>>,
    /// The declared names.
    pub names: Vec<Declarator<'t>>,
}

/// A register name, or a numbered family of registers.
#[derive(Clone, Copy, Debug)]
pub struct Declarator<'t> {
    /// The name.
    pub name: Word<'t>,
    /// The number of registers in a family: `%rd<8>` declares `%rd0` to `%rd7`.
    pub count: Option<u64>,
}

/// `@%p mov.b64 %rd1, 0;`.
#[derive(Debug)]
pub struct Instruction<'t> {
    /// The span from the guard to the semicolon.
    pub span: Span,
    /// Whether a predicate guards it.
    pub guarded: bool,
    /// The opcode, such as `mov`.
    pub opcode: Word<'t>,
    /// Modifiers such as `.b64`, with their dots.
    pub modifiers: Vec<Word<'t>>,
    /// The operands of the instruction.
    pub operands: Vec<Operand<'t>>,
}

/// An operand.
#[derive(Debug)]
pub struct Operand<'t> {
    /// The span in the text.
    pub span: Span,
    /// The operand itself.
    pub kind: OperandKind<'t>,
}

/// The kinds of operands.
#[derive(Debug)]
pub enum OperandKind<'t> {
    /// A register, label, variable or function.
    Name(&'t str),
    /// An integer or a constant expression of integers; negative ones in two's complement.
    Integer(u64),
    /// `[…]`.
    Address(Vec<Operand<'t>>),
    /// `{…}`.
    Vector(Vec<Operand<'t>>),
    /// `(…)`: the results or arguments of a call.
    List(Vec<Operand<'t>>),
    /// `!%p`.
    Not(Box<Operand<'t>>),
    /// `%p|%q`: a pair of results.
    Pair(Box<Operand<'t>>, Box<Operand<'t>>),
    /// Any other operand: floats, special registers, expressions with names.
    Other,
}
