//! Template arguments.

use super::environment::{Binding, Entity};
use a2lint_isa::masks::Element;
use a2lint_source::text::{Slice, Span};
use a2lint_syntax::cpp::{Alias, ExprKind, Path, TemplateParameter};

/// A template argument.
#[derive(Clone, Debug)]
pub enum Argument<'a> {
    /// A type, or an enumerator.
    Type(Path<'a>),
    /// A number.
    Int(i128),
    /// Unknown.
    Unknown,
}

impl<'a> Argument<'a> {
    /// Returns the entity of a parameter with this argument.
    pub fn entity(&self, name: &'a str) -> Entity<'a> {
        match self {
            Argument::Int(value) => Entity::Int(Some(*value)),
            Argument::Unknown => Entity::Opaque,
            Argument::Type(path) => Entity::Type(Alias {
                name,
                parameters: Vec::new(),
                ty: path.clone(),
            }),
        }
    }
}

/// The arguments of one instance.
pub type Arguments<'a> = Vec<Argument<'a>>;

/// Formats template arguments, `<float, 64>`; empty without arguments.
pub fn written(arguments: &[Argument]) -> String {
    let list: Vec<String> = arguments
        .iter()
        .map(|argument| match argument {
            Argument::Type(path) => written_type(path),
            Argument::Int(value) => value.to_string(),
            Argument::Unknown => "?".to_owned(),
        })
        .collect();
    match list.is_empty() {
        true => String::new(),
        false => format!("<{}>", list.join(", ")),
    }
}

fn written_type(path: &Path) -> String {
    let arguments: Vec<String> = path
        .arguments
        .iter()
        .map(|argument| match &argument.kind {
            ExprKind::Path(path) => written_type(path),
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Bool(value) => value.to_string(),
            _ => "?".to_owned(),
        })
        .collect();
    let name = path.segments.join("::");
    match arguments.is_empty() {
        true => name,
        false => format!("{name}<{}>", arguments.join(", ")),
    }
}

/// Binds the parameters of a template to arguments; parameters without one are opaque.
pub fn bound<'a>(
    parameters: &[TemplateParameter<'a>],
    arguments: &[Argument<'a>],
    span: Span,
) -> Vec<(&'a str, Binding<'a>)> {
    let entity = |at: usize, name: &'a str| {
        let argument = arguments.get(at).unwrap_or(&Argument::Unknown);
        argument.entity(name)
    };
    let parameters = parameters.iter().enumerate();
    parameters
        .map(|(at, parameter)| match parameter.pack {
            true => (parameter.name, Binding::opaque(span)),
            false => (
                parameter.name,
                Binding::of(entity(at, parameter.name), span),
            ),
        })
        .collect()
}

/// Returns whether two known arguments are equal.
pub fn is_equal(one: &Argument, other: &Argument) -> bool {
    match (one, other) {
        (Argument::Int(one), Argument::Int(other)) => one == other,
        (Argument::Type(one), Argument::Type(other)) => {
            let element = |path: &Path| Element::from_cpp(path.name());
            match (element(one), element(other)) {
                // Two names can denote the same element type.
                (Some(one), Some(other)) => one == other,
                _ => {
                    let last = |path: &Path| path.segments.last().map(|it| (*it).to_owned());
                    last(one) == last(other) && written_arguments(one) == written_arguments(other)
                }
            }
        }
        _ => false,
    }
}

fn written_arguments(path: &Path) -> String {
    let text = written_type(path);
    text.find('<')
        .map_or(String::new(), |at| text.part(at..).to_owned())
}
