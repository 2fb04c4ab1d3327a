//! Typed PTX. Every node knows its place; words borrow the text.

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
    /// Statements before any function: all that a fragment has. Those behind a function are its own,
    /// closed early by a stray brace.
    pub statements: Vec<Statement<'t>>,
    /// What could not be read, in source order; parts may overlap.
    pub damaged: Vec<Word<'t>>,
    /// Whether the text was given up: too large, or too broken to be read in bounded time.
    pub refused: bool,
}

/// The version of the language a module is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Before the dot.
    pub major: u32,
    /// Behind it.
    pub minor: u32,
    /// The number.
    pub span: Span,
}

/// A word of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'t> {
    /// Its letters.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
}

/// A function.
#[derive(Debug)]
pub struct Function<'t> {
    /// Whether the host can start it.
    pub entry: bool,
    /// Its name.
    pub name: Word<'t>,
    /// All of it.
    pub span: Span,
    /// Parameters and returned values in registers.
    pub registers: Vec<Declaration<'t>>,
    /// Its statements.
    pub body: Vec<Statement<'t>>,
}

/// A statement.
#[derive(Debug)]
pub enum Statement<'t> {
    /// `DONE:`.
    Label,
    /// Registers.
    Registers(Declaration<'t>),
    /// An instruction.
    Instruction(Instruction<'t>),
    /// `{ … }`.
    Block(Vec<Statement<'t>>),
}

/// `.reg .b64 %rd<8>, %mask;`.
#[derive(Debug)]
pub struct Declaration<'t> {
    /// `.b64`; vectors and attributes are left out.
    pub scalar_type: Option<Word<'t>>,
    /// What it declares.
    pub names: Vec<Declarator<'t>>,
}

/// One name, or a numbered family of them.
#[derive(Clone, Copy, Debug)]
pub struct Declarator<'t> {
    /// The name.
    pub name: Word<'t>,
    /// `<8>`: names end in 0 to 7.
    pub count: Option<u64>,
}

/// `@%p mov.b64 %rd1, 0;`.
#[derive(Debug)]
pub struct Instruction<'t> {
    /// From the guard to the semicolon.
    pub span: Span,
    /// Whether a predicate decides if it runs.
    pub guarded: bool,
    /// `mov`.
    pub opcode: Word<'t>,
    /// `.b64`, with their dots.
    pub modifiers: Vec<Word<'t>>,
    /// Its operands.
    pub operands: Vec<Operand<'t>>,
}

/// An operand.
#[derive(Debug)]
pub struct Operand<'t> {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: OperandKind<'t>,
}

/// What an operand is.
#[derive(Debug)]
pub enum OperandKind<'t> {
    /// A register, label, variable or function.
    Name(&'t str),
    /// An integer, or an expression of integers; negative ones in two's complement.
    Integer(u64),
    /// `[…]`.
    Address(Vec<Operand<'t>>),
    /// `{…}`.
    Vector(Vec<Operand<'t>>),
    /// `(…)`: what a call returns, or is given.
    List(Vec<Operand<'t>>),
    /// `!%p`.
    Not(Box<Operand<'t>>),
    /// `%p|%q`: two results.
    Pair(Box<Operand<'t>>, Box<Operand<'t>>),
    /// Anything else: floats, special registers, expressions of names.
    Other,
}
