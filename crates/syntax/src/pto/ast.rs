//! What an assembly file consists of.

use a2lint_source::text::Span;

/// A file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// Operations of any dialect, in order; those in regions follow the one that holds them.
    pub ops: Vec<Op>,
    /// Places that make no sense.
    pub errors: Vec<Span>,
}

/// An operation or directive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Op {
    /// The whole of it.
    pub span: Span,
    /// `%a, %b =`.
    pub results: Vec<Span>,
    /// Its name, quotes included in the generic form.
    pub name: Span,
    /// Operands outside of `ins` and `outs`.
    pub operands: Vec<Operand>,
    /// `ins(...)`.
    pub ins: Option<Group>,
    /// `outs(...)`.
    pub outs: Option<Group>,
    /// `key = value` outside of braces, and entries of `{...}`.
    pub attributes: Vec<(Span, Span)>,
    /// Types before `->`.
    pub types: Vec<TypeText>,
    /// Types behind `->`.
    pub result_types: Vec<TypeText>,
    /// Whether there was a `->`.
    pub arrow: bool,
    /// Regions around it.
    pub depth: usize,
}

/// `ins(%a, %b : T, T)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Parentheses included.
    pub span: Span,
    /// Before the colon.
    pub operands: Vec<Operand>,
    /// Behind it.
    pub types: Vec<TypeText>,
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operand {
    /// Its place, indices included.
    pub span: Span,
    /// The name or number.
    pub head: Span,
    /// What it is.
    pub kind: OperandKind,
}

/// Kinds of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// `%v`, `%v[i, j]`.
    Value,
    /// `@tile(0x1000)`.
    Symbol,
    /// A literal.
    Number,
    /// A word, string or attribute.
    Other,
}

/// A type as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeText {
    /// Its place.
    pub span: Span,
}
