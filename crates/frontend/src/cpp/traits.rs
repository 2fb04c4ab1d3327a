//! Type traits of the standard library.

use super::arguments::{Argument, written};
use super::evaluate::View;
use a2lint_isa::masks::Element;
use a2lint_syntax::cpp::Expr;

/// Evaluates a type trait.
type Decide = for<'e, 'a> fn(View<'e, 'a>, &[Expr<'a>]) -> Option<i128>;

/// Known type traits, as in `is_same_v<A, B>` and `is_same<A, B>::value`.
pub(super) const TRAITS: &[(&str, Decide)] = &[
    ("is_same", is_same),
    ("IsSameType", is_same),
    ("is_integral", |view, types| {
        let element = one_element(view, types)?;
        Some(i128::from(element.is_integer() || element == Element::Bool))
    }),
    ("is_floating_point", |view, types| {
        match one_element(view, types)? {
            Element::Float | Element::Double => Some(1),
            element if element.is_integer() => Some(0),
            // Compilers differ in whether other float types count.
            _ => None,
        }
    }),
    ("is_unsigned", |view, types| {
        let element = one_element(view, types).filter(|it| it.is_integer())?;
        Some(i128::from(element.name().starts_with('u')))
    }),
    ("is_signed", |view, types| {
        let element = one_element(view, types).filter(|it| it.is_integer())?;
        Some(i128::from(!element.name().starts_with('u')))
    }),
];

fn one_element<'a>(view: View<'_, 'a>, types: &[Expr<'a>]) -> Option<Element> {
    match types {
        [only] => view.element(only.path()?),
        _ => None,
    }
}

/// Evaluates `std::is_same_v<T, float>` if both types are known.
fn is_same<'a>(view: View<'_, 'a>, types: &[Expr<'a>]) -> Option<i128> {
    let [one, other] = types else {
        return None;
    };
    let [one, other] = [view.argument(one)?, view.argument(other)?];
    let element = |argument: &Argument| match argument {
        Argument::Type(path) => Element::from_cpp(path.name()),
        Argument::Int(_) | Argument::Unknown => None,
    };
    let same_text = written(std::slice::from_ref(&one)) == written(std::slice::from_ref(&other));
    match (element(&one), element(&other)) {
        _ if same_text => Some(1),
        // Two names of one element type may denote one type.
        (Some(one), Some(other)) => (one != other).then_some(0),
        // Either may be another name of the other.
        _ => None,
    }
}
