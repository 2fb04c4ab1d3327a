//! `GatherMaskParams`: the structure of strides.

use super::Reader;
use super::objects::Object;
use crate::frontend::cpp::Site;
use crate::ir::gather::{Number, Params};
use crate::masks::Element;
use crate::syntax::cpp::{BinaryOp, Expr, ExprKind, Init};
use crate::text::Span;

/// Fields in order, with their defaults.
pub(super) const FIELDS: [(&str, i64); 4] = [
    ("src0BlockStride", 1),
    ("repeatTimes", 0),
    ("src0RepeatStride", 8),
    ("src1RepeatStride", 8),
];

/// The fields of a structure at one point.
#[derive(Clone, Debug)]
pub(super) struct Fields(pub [Number; 4]);

impl Fields {
    /// Defaults, standing at `span`.
    fn default_at(span: Span) -> Self {
        Self(FIELDS.map(|(_, value)| Number {
            span,
            value: Some(value),
            ..Number::default()
        }))
    }

    /// Nothing is known any more.
    pub fn forget(&mut self) {
        for field in &mut self.0 {
            (field.value, field.narrowed, field.written) = (None, false, true);
        }
    }

    /// As an operand at `span`.
    pub fn at(&self, span: Span) -> Params {
        let [block_stride, repeats, repeat_stride, pattern_stride] = self.0;
        Params {
            span,
            block_stride,
            repeats,
            repeat_stride,
            pattern_stride,
        }
    }
}

/// Whether an expression that is not constant can exceed 255 as far as its form tells.
pub(super) fn may_exceed_a_byte(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Rem, ..) => false,
        ExprKind::Binary(..) => true,
        ExprKind::Call { callee, .. } => {
            let name = callee.path().map_or("", |path| path.name());
            !name.to_ascii_lowercase().contains("min")
        }
        ExprKind::Cast(_, inner) => may_exceed_a_byte(inner),
        ExprKind::Conditional(_) => false,
        _ => false,
    }
}

impl<'a> Reader<'a> {
    /// A number as written.
    pub(super) fn number(&self, site: &Site<'a>, expr: &Expr<'a>) -> Number {
        let value = site.env.int64(expr);
        let cast = match &expr.kind {
            ExprKind::Cast(ty, inner) if site.env.element(ty) == Some(Element::UInt8) => {
                match site.env.int(inner) {
                    Some(whole) => whole > 255,
                    None => may_exceed_a_byte(inner),
                }
            }
            _ => false,
        };
        let variable = expr
            .plain_name()
            .is_some_and(|name| self.narrowed.contains(&name));
        Number {
            span: expr.span,
            value,
            narrowed: cast || (variable && value.is_none()),
            written: true,
        }
    }

    /// The fields that an initialiser gives.
    pub(super) fn fields(&self, site: &Site<'a>, init: &Init<'a>, span: Span) -> Fields {
        match init {
            Init::Default => Fields::default_at(span),
            Init::Arguments(list) => self.listed(site, list, span),
            Init::Value(value) => self.fields_of(site, value).unwrap_or_else(|| {
                let mut fields = Fields::default_at(span);
                fields.forget();
                fields
            }),
        }
    }

    fn listed(&self, site: &Site<'a>, list: &[Expr<'a>], span: Span) -> Fields {
        let mut fields = Fields::default_at(span);
        for (at, expr) in list.iter().enumerate() {
            match &expr.kind {
                ExprKind::Field(name, value) => {
                    if let Some(at) = FIELDS.iter().position(|(field, _)| field == name) {
                        fields.0[at] = self.number(site, value);
                    }
                }
                _ => {
                    if let Some(field) = fields.0.get_mut(at) {
                        *field = self.number(site, expr);
                    }
                }
            }
        }
        fields
    }

    /// The fields of an expression that is or names a structure.
    pub(super) fn fields_of(&self, site: &Site<'a>, expr: &Expr<'a>) -> Option<Fields> {
        match &expr.kind {
            ExprKind::Braces(list) => Some(self.listed(site, list, expr.span)),
            ExprKind::Call {
                callee, arguments, ..
            } => {
                let made = callee.path()?.name() == "GatherMaskParams";
                made.then(|| self.listed(site, arguments, expr.span))
            }
            _ => match self.objects.get(site.env.object(expr)?)? {
                Object::Params(fields) => Some(fields.clone()),
                _ => None,
            },
        }
    }
}
