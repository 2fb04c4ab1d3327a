//! Typed syntax of a PTO assembly or MLIR file.

use a2lint_source::text::Span;

/// The syntax of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// Operations of any dialect, in source order; those of a region follow the operation that owns it.
    pub ops: Vec<Op>,
    /// Spans that could not be parsed.
    pub errors: Vec<Span>,
}

/// An operation or directive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Op {
    /// The whole operation.
    pub span: Span,
    /// The results `%a, %b` before `=`.
    pub results: Vec<Span>,
    /// The name, with its quotes in the generic form.
    pub name: Span,
    /// Operands outside of `ins(...)` and `outs(...)`.
    pub operands: Vec<Operand>,
    /// `ins(...)`.
    pub ins: Option<Group>,
    /// `outs(...)`.
    pub outs: Option<Group>,
    /// Keys and values of `key = value` outside of braces and of the entries of `{...}`.
    pub attributes: Vec<(Span, Span)>,
    /// Types before `->`.
    pub types: Vec<TypeText>,
    /// Types after `->`.
    pub result_types: Vec<TypeText>,
    /// Whether there was a `->`.
    pub arrow: bool,
    /// Number of enclosing regions.
    pub depth: usize,
}

/// A group of operands, `ins(%a, %b : T, T)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The span including the parentheses.
    pub span: Span,
    /// Operands before the colon.
    pub operands: Vec<Operand>,
    /// Types after the colon.
    pub types: Vec<TypeText>,
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operand {
    /// The span including indices.
    pub span: Span,
    /// The span of the name or number alone.
    pub head: Span,
    /// The kind of operand.
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
    /// The span in the text.
    pub span: Span,
}
