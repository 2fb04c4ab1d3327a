//! `GatherMaskParams`: the structure of strides.

use super::Reader;
use super::objects::Object;
use crate::cpp::Site;
use a2lint_ir::gather::{Number, Params};
use a2lint_isa::masks::Element;
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{Expr, ExprKind, Init};

/// Fields in order of declaration, with their defaults.
pub(super) const FIELDS: [(&str, i64); 4] = [
    ("src0BlockStride", 1),
    ("repeatTimes", 0),
    ("src0RepeatStride", 8),
    ("src1RepeatStride", 8),
];
/// The widths of the fields in bits.
const WIDTHS: [u32; 4] = [8, 16, 16, 8];

/// The fields of a structure at one point of the function.
#[derive(Clone, Debug)]
pub(super) struct Fields(pub [Number; 4]);

impl Fields {
    /// Returns the defaults, with `span` as their place.
    fn default_at(span: Span) -> Self {
        Self(FIELDS.map(|(_, value)| Number {
            span,
            value: Some(value),
            ..Number::default()
        }))
    }

    /// Makes all fields unknown.
    pub fn forget(&mut self) {
        for field in &mut self.0 {
            (field.value, field.narrowed, field.cut, field.written) = (None, false, None, true);
        }
    }

    /// Stores a number in a field, truncated to the width of the field.
    pub fn store(&mut self, at: usize, mut number: Number) {
        let held = |value: i64| value.rem_euclid(1 << WIDTHS[at]);
        if let Some(value) = number.value.filter(|&value| held(value) != value) {
            number.cut = Some(value);
            number.value = Some(held(value));
        }
        self.0[at] = number;
    }

    /// Returns the fields as an operand at `span`.
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

impl<'a> Reader<'a> {
    /// Whether a number certainly exceeds eight bits. An unknown number may be bounded elsewhere.
    pub(super) fn exceeds_a_byte(&self, site: &Site<'a>, expr: &Expr<'a>) -> bool {
        site.env.int(expr).is_some_and(|value| value > 255)
    }

    /// Returns the number that an expression gives to a field.
    pub(super) fn number(&self, site: &Site<'a>, expr: &Expr<'a>) -> Number {
        let value = site.env.int64(expr);
        let cast = match &expr.kind {
            ExprKind::Cast(ty, inner) if site.env.element(ty) == Some(Element::UInt8) => {
                self.exceeds_a_byte(site, inner)
            }
            _ => false,
        };
        let variable = expr
            .plain_name()
            .is_some_and(|name| self.narrowed.contains(&name));
        Number {
            span: expr.span,
            value,
            narrowed: cast || variable,
            cut: None,
            written: true,
        }
    }

    /// Returns the fields after initialisation.
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
                        fields.store(at, self.number(site, value));
                    }
                }
                _ => {
                    if at < FIELDS.len() {
                        fields.store(at, self.number(site, expr));
                    }
                }
            }
        }
        fields
    }

    /// Returns the fields of an expression that creates or names a structure.
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
