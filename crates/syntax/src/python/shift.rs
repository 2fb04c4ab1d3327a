//! Adding an offset to all spans of typed syntax.

use super::ast::*;
use a2lint_source::text::Span;

/// Syntax with spans that can be moved.
pub(super) trait Shift {
    /// Adds `by` to all offsets; offsets wrap, so a negative distance is given in two's complement.
    fn shift(&mut self, by: u32);
}

impl Shift for Span {
    fn shift(&mut self, by: u32) {
        self.start = self.start.wrapping_add(by);
        self.end = self.end.wrapping_add(by);
    }
}

impl<T: Shift> Shift for Vec<T> {
    fn shift(&mut self, by: u32) {
        self.iter_mut().for_each(|it| it.shift(by));
    }
}

impl<T: Shift> Shift for Option<T> {
    fn shift(&mut self, by: u32) {
        self.iter_mut().for_each(|it| it.shift(by));
    }
}

impl<T: Shift> Shift for Box<T> {
    fn shift(&mut self, by: u32) {
        (**self).shift(by);
    }
}

impl<A: Shift, B: Shift> Shift for (A, B) {
    fn shift(&mut self, by: u32) {
        self.0.shift(by);
        self.1.shift(by);
    }
}

impl Shift for CompareOp {
    fn shift(&mut self, _: u32) {}
}

/// Implements [`Shift`] for a struct or an enumeration of the syntax. What has spans is listed, after `;` what has
/// none, and after `plain` the variants without any: what the syntax gains does not compile until it is listed here.
macro_rules! shift {
    (struct $type:ident { $($moved:ident),* $(; $($kept:ident),+)? }) => {
        impl Shift for $type {
            fn shift(&mut self, by: u32) {
                let $type { $($moved,)* $($($kept: _,)+)? } = self;
                $($moved.shift(by);)*
            }
        }
    };
    (enum $type:ident {
        $($variant:ident $(($($item:ident),+))? $({ $($moved:ident),+ $(; $($kept:ident),+)? })?,)*
    } plain $plain:pat) => {
        impl Shift for $type {
            fn shift(&mut self, by: u32) {
                match self {
                    $($type::$variant $(($($item),+))? $({ $($moved,)+ $($($kept: _,)+)? })? => {
                        $($($item.shift(by);)+)?
                        $($($moved.shift(by);)+)?
                    })*
                    $plain => {}
                }
            }
        }
    };
}

shift!(struct File { body, errors, comments });
shift!(struct SyntaxError { span; reason });
shift!(struct Comment { span; text });
shift!(struct Name { span; text });
shift!(struct ImportName { span, alias; name });
shift!(struct FunctionDef { name, full_span, decorators, params, body; is_generator });
shift!(struct Param { name, annotation, default; kind });
shift!(struct Handler { classes, name; is_group });
shift!(struct Clause { target, iter, conditions });
shift!(struct Stmt { span, kind });
shift!(struct Expr { span, kind });

shift!(enum Pattern {
    Value(value),
    Capture(name),
    As(inner, name),
    Or(all),
    Sequence(all),
    Rest(name),
    Mapping { entries, rest },
    Class { class, positional, keywords },
    Other(names),
} plain Pattern::Anything);

shift!(enum StmtKind {
    Expr(value),
    Assign { targets, value },
    AnnAssign { target, annotation, value },
    AugAssign { target, op_span, value; op },
    For { target, iter, body, orelse },
    While { test, body, orelse },
    If { arms, orelse },
    With { items, body },
    Function(def),
    Class { name, full_span, decorators, bases, keywords, body },
    Return(value),
    Import(names),
    ImportFrom { module_span, names; module, star },
    Try { blocks, handlers; parts },
    Assert(test),
    Raise(value),
    Delete(values),
    Global(names),
    Nonlocal(names),
    Error(body),
} plain StmtKind::Pass | StmtKind::Break | StmtKind::Continue);

shift!(enum ExprKind {
    Format(parts),
    Attribute { value, attr },
    Subscript { value, index },
    Slice { lower, upper, step },
    Call { func, args, keywords },
    Tuple(items),
    List(items),
    Set(items),
    Dict(items),
    Unary { operand; op },
    Binary { op_span, left, right; op },
    BoolOp { values; and },
    Compare { left, rest },
    Conditional { test, body, orelse },
    Lambda { params, body },
    Comprehension { element, value, clauses; kind },
    Starred(inner),
    Named { name, value },
    Yield { value; from },
    Matches { subject, pattern },
} plain ExprKind::None
    | ExprKind::Bool(_)
    | ExprKind::Int(_)
    | ExprKind::Float(_)
    | ExprKind::Str(_)
    | ExprKind::OpaqueStr
    | ExprKind::Ellipsis
    | ExprKind::Name(_)
    | ExprKind::Error);

shift!(enum FormatPart {
    Value { value; conversion, spec },
} plain FormatPart::Text(_));
