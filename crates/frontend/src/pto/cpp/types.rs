//! Types of tiles and events from the template arguments that the evaluator has computed.

use a2lint_cpp::eval::{
    Constant, Eval, FloatType, IntType, Kind, LibraryType, Operand, TemplateArg, Ty,
};
use a2lint_cpp::library::Evaluated;
use a2lint_ir::tile::{EventType, Layout, TileType, Valid};
use a2lint_isa::masks::Element;
use a2lint_source::text::Span;

use crate::pto::names::pipe;
use crate::pto::types::{boxed, layout, memory};

/// Returns the type of `Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, -1, -1, …>`; `None` for other types.
pub fn of(eval: &Eval<'_>, ty: &LibraryType, span: Span) -> Option<TileType> {
    let arguments = &ty.arguments;
    if &*ty.name != "Tile" || arguments.len() < 4 {
        return None;
    }
    let int = |at: usize| arguments.get(at).and_then(integer);
    let word = |at: usize| arguments.get(at).and_then(|it| enumerator(eval, it));
    let shape = [int(2), int(3)];
    let valid = [5, 6].map(|at| match (arguments.get(at), int(at)) {
        // Defaults of the template: the valid extents are the whole tile, in row-major order without boxes.
        (None, _) => shape[at - 5].map_or(Valid::Unknown, Valid::Static),
        (Some(_), Some(-1)) => Valid::Dynamic,
        (Some(_), Some(extent)) => Valid::Static(extent),
        (Some(_), None) => Valid::Unknown,
    });
    Some(TileType {
        span,
        memory: word(0).map(|it| memory(&it)),
        element: match &arguments[1] {
            TemplateArg::Type(ty) => element(ty),
            _ => None,
        },
        shape,
        layout: match (arguments.get(4), word(4)) {
            (None, _) => Some(Layout::RowMajor),
            (Some(_), name) => name.and_then(|it| layout(&it)),
        },
        boxed: match (arguments.get(7), word(7)) {
            (None, _) => Some(false),
            (Some(_), name) => name.and_then(|it| boxed(&it)),
        },
        fractal: match arguments.get(8) {
            None => Some(512),
            Some(_) => int(8),
        },
        valid,
        placeholder: false,
    })
}

/// Returns an `Event<Op::TLOAD, Op::TSEL>`.
pub fn event(eval: &Eval<'_>, ty: &LibraryType, span: Span) -> EventType {
    let end = |at: usize| {
        let name = ty.arguments.get(at).and_then(|it| enumerator(eval, it));
        let name = name.unwrap_or_default();
        let pipe = pipe(&name);
        (name, pipe)
    };
    EventType {
        span,
        ends: [end(0), end(1)],
    }
}

fn integer(argument: &TemplateArg) -> Option<i64> {
    match argument {
        TemplateArg::Value(_, Constant::Int(value)) => i64::try_from(*value).ok(),
        _ => None,
    }
}

/// Returns the name of an enumerator.
fn enumerator(eval: &Eval<'_>, argument: &TemplateArg) -> Option<String> {
    match argument {
        TemplateArg::Value(ty, _) if matches!(ty.kind, Kind::Enum(_)) => {
            Some(eval.argument_name(argument))
        }
        _ => None,
    }
}

/// Returns the element type that a type is.
pub fn element(ty: &Ty) -> Option<Element> {
    match &ty.kind {
        Kind::Int(of) => Element::from_cpp(fixed(*of)),
        Kind::Float(of) => Some(match of {
            FloatType::Half => Element::Half,
            FloatType::BFloat16 => Element::BFloat16,
            FloatType::Float => Element::Float,
            FloatType::Double => Element::Double,
        }),
        Kind::Library(of) => Element::from_cpp(&of.name),
        _ => None,
    }
}

/// Returns the name of an integer type by its width.
fn fixed(of: IntType) -> &'static str {
    use IntType::*;
    match of {
        Bool => "bool",
        Char | SignedChar => "int8_t",
        UnsignedChar => "uint8_t",
        Short => "int16_t",
        UnsignedShort => "uint16_t",
        Int => "int32_t",
        Unsigned => "uint32_t",
        Long | LongLong => "int64_t",
        UnsignedLong | UnsignedLongLong => "uint64_t",
    }
}

/// Formats template arguments, `<float, 64>`; empty without arguments, or if none of them is known.
pub fn written(eval: &Eval<'_>, arguments: &[TemplateArg]) -> String {
    let is_unknown = |argument: &TemplateArg| match argument {
        TemplateArg::Unknown => true,
        TemplateArg::Type(ty) => ty.kind == Kind::Unknown,
        TemplateArg::Pack(items) => items.is_empty(),
        _ => false,
    };
    if arguments.iter().all(is_unknown) {
        return String::new();
    }
    let list = arguments.iter().map(|argument| match argument {
        TemplateArg::Type(Ty {
            kind: Kind::Int(of),
            ..
        }) => fixed(*of).to_owned(),
        argument => eval.argument_name(argument),
    });
    let list: Vec<String> = list.collect();
    format!("<{}>", list.join(", "))
}

/// Returns whether values of a type may be numbers.
pub fn is_number(ty: &Ty) -> bool {
    matches!(
        ty.kind,
        Kind::Int(_) | Kind::Enum(_) | Kind::Float(_) | Kind::Unknown
    )
}

/// Returns the number that an operand is, if it is known.
pub fn number(eval: &mut Eval<'_>, operand: &Operand) -> Evaluated<Option<i64>> {
    let value = eval.value_of(operand)?.known_int();
    Ok(value.and_then(|value| i64::try_from(value).ok()))
}
