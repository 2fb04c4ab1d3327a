//! Decides conditions of the preprocessor: those over macros that are certainly defined, with a known value, and
//! those that ask for the product.
//!
//! Any other macro that no visible file defines may be given on the compiler's command line, so nothing follows from
//! its absence.

use rustc_hash::FxHashMap;

use super::arithmetic::binary;
use super::products::{Predefined, predefined};
use a2lint_isa::masks::Target;
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{BinaryOp, Expr, ExprKind, MAX_BYTES, Macro, UnaryOp};

/// Maximum depth of macros that expand to macros.
const MAX_DEPTH: u32 = 24;

/// The macros of a translation unit.
#[derive(Debug, Default)]
pub struct Macros<'a> {
    /// Macros with their places; `None` for those whose definition is not certain.
    known: FxHashMap<&'a str, Option<(Span, &'a Macro<'a>)>>,
    /// Number of undecided branches around the code that is being read.
    undecided: u32,
    /// The product that is compiled for, if one is given.
    product: Option<Target>,
}

impl<'a> Macros<'a> {
    /// Creates the macros of a compiler for a product.
    pub fn of(product: Option<Target>) -> Macros<'a> {
        Macros {
            product,
            ..Macros::default()
        }
    }

    /// Enters a branch whose condition is undecided.
    pub fn enter_undecided(&mut self) {
        self.undecided += 1;
    }

    /// Leaves an undecided branch.
    pub fn leave_undecided(&mut self) {
        self.undecided -= 1;
    }

    /// Handles `#define`.
    pub fn define(&mut self, known: &'a Macro<'a>, place: Span) {
        let new = (self.undecided == 0).then_some((place, known));
        self.known
            .entry(known.name)
            .and_modify(|before| *before = None)
            .or_insert(new);
    }

    /// Handles `#undef`, wherever it is.
    pub fn undefine(&mut self, name: &'a str) {
        self.known.insert(name, None);
    }

    /// Returns the value of a condition; `None` if it is unknown.
    pub fn value(&self, condition: &Expr<'a>) -> Option<i128> {
        self.value_for(condition, self.product)
    }

    /// Returns whether a condition holds if only the product decides it, and `None` otherwise.
    pub fn decided_by_product(&self, condition: &Expr<'a>) -> Option<bool> {
        let value = self.value(condition)?;
        let alone = self.value_for(condition, None);
        alone.is_none().then_some(value != 0)
    }

    fn value_for(&self, condition: &Expr<'a>, product: Option<Target>) -> Option<i128> {
        let place = condition.span;
        self.value_within(condition, (place, product), MAX_DEPTH)
    }

    fn value_within(
        &self,
        expr: &Expr<'a>,
        (place, product): (Span, Option<Target>),
        depth: u32,
    ) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let value = |expr: &Expr<'a>| self.value_within(expr, (place, product), depth);
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Bool(value) => Some(i128::from(*value)),
            ExprKind::Path(path) if path.segments.len() == 1 => {
                let name = path.name();
                let Some(known) = self.before(name, place) else {
                    return match self.predefined(name, product)? {
                        Predefined::As(value) => Some(value),
                        Predefined::Not => Some(0),
                    };
                };
                let plain = known.parameters.is_none() && !known.torn;
                value(known.value.as_ref().filter(|_| plain)?)
            }
            ExprKind::Call {
                callee, arguments, ..
            } if callee.plain_name() == Some("defined") => {
                let name = arguments.first()?.plain_name()?;
                match self.before(name, place) {
                    Some(_) => Some(1),
                    None => self
                        .predefined(name, product)
                        .map(|it| i128::from(it != Predefined::Not)),
                }
            }
            ExprKind::Unary(UnaryOp::Not, operand) => Some(i128::from(value(operand)? == 0)),
            ExprKind::Unary(UnaryOp::Minus, operand) => value(operand)?.checked_neg(),
            ExprKind::Binary(op, left, right) => match (op, value(left), value(right)) {
                (BinaryOp::LogicalAnd, Some(0), _) | (BinaryOp::LogicalAnd, _, Some(0)) => Some(0),
                (BinaryOp::LogicalOr, Some(one), _) | (BinaryOp::LogicalOr, _, Some(one))
                    if one != 0 =>
                {
                    Some(1)
                }
                (op, left, right) => binary(*op, left?, right?),
            },
            _ => None,
        }
    }

    /// Returns the state of a macro that no visible file defines.
    fn predefined(&self, name: &str, product: Option<Target>) -> Option<Predefined> {
        match self.known.contains_key(name) {
            true => None,
            false => predefined(name, product?),
        }
    }

    /// Returns a macro that is defined before a place. Other files have later places than the checked file, but what
    /// they define is included before it.
    fn before(&self, name: &str, place: Span) -> Option<&'a Macro<'a>> {
        let (defined, known) = (*self.known.get(name)?)?;
        let elsewhere = defined.start as usize > MAX_BYTES;
        (elsewhere || defined.start < place.start).then_some(known)
    }
}
