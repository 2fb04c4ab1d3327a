//! Classes and class templates: the choice of specialisations, and constants of classes.

use super::arguments::{Argument, Arguments, bound, is_equal};
use super::environment::{Binding, Entity};
use super::evaluate::{CALL_DEPTH, Frame, View};
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{Class, Expr, ExprKind, Init, Path, Stmt, StmtKind, TemplateParameter};

/// A class, or a class template with its specialisations.
#[derive(Debug, Default)]
pub struct Family<'a> {
    /// The template itself first, if it is visible.
    variants: Vec<&'a Class<'a>>,
}

/// The result of choosing a specialisation.
pub struct Chosen<'a> {
    /// The class, or a specialisation.
    pub class: &'a Class<'a>,
    /// The arguments of its own parameters.
    pub arguments: Arguments<'a>,
}

impl<'a> Family<'a> {
    pub fn add(&mut self, class: &'a Class<'a>) {
        match class.specialises.is_empty() {
            true => self.variants.insert(0, class),
            false => self.variants.push(class),
        }
    }

    /// Returns the template itself, if there is exactly one.
    pub fn primary(&self) -> Option<&'a Class<'a>> {
        let mut primaries = self.variants.iter().copied();
        let mut primaries = primaries.by_ref().filter(|it| it.specialises.is_empty());
        let first = primaries.next()?;
        primaries.next().is_none().then_some(first)
    }
}

impl<'e, 'a> View<'e, 'a> {
    /// Evaluates a template argument; `None` if any part of it is unknown.
    pub fn argument(self, expr: &Expr<'a>) -> Option<Argument<'a>> {
        let written = expr.path();
        if let Some(path) = written {
            let resolved = self.resolve(path);
            let owner = resolved.qualifier().and_then(|owner| self.find(&owner));
            if matches!(owner.map(|it| it.entity), Some(Entity::Enum(_))) {
                return Some(Argument::Type(resolved));
            }
        }
        if let Some(value) = self.int(expr) {
            return Some(Argument::Int(value));
        }
        let path = self.closed(written?);
        self.is_known(&path).then_some(Argument::Type(path))
    }

    fn is_known(self, path: &Path<'a>) -> bool {
        self.deeper().is_some_and(|view| view.is_known_within(path))
    }

    fn is_known_within(self, path: &Path<'a>) -> bool {
        let own = match self.find(path).map(|binding| binding.entity) {
            Some(Entity::Class(_) | Entity::Enum(_)) => true,
            Some(_) => false,
            // A name of a library, or of a class template that is not visible.
            None => path.owner.is_none(),
        };
        own && path.arguments.iter().all(|argument| match &argument.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) => true,
            ExprKind::Path(inner) => self.is_known(inner),
            _ => false,
        })
    }

    /// Evaluates a template argument; it may be unknown.
    pub fn argument_or_unknown(self, expr: &Expr<'a>) -> Argument<'a> {
        self.argument(expr).unwrap_or(Argument::Unknown)
    }

    /// Returns all arguments of a template, with defaults for those left out; `None` if they do not fit, or all of
    /// them are unknown.
    pub fn with_defaults(
        self,
        parameters: &[TemplateParameter<'a>],
        given: &[Expr<'a>],
    ) -> Option<Arguments<'a>> {
        let given = given.iter().map(|it| self.argument_or_unknown(it));
        let mut arguments: Arguments<'a> = given.collect();
        if !arguments.is_empty() && arguments.iter().all(|it| matches!(it, Argument::Unknown)) {
            return None;
        }
        if parameters.last().is_some_and(|last| last.pack) {
            return (arguments.len() >= parameters.len() - 1).then_some(arguments);
        }
        if arguments.len() > parameters.len() {
            return None;
        }
        for at in arguments.len()..parameters.len() {
            let default = parameters[at].default.as_ref()?;
            let names = bound(parameters, &arguments, Span::default());
            let frame = self.frame(names);
            arguments.push(self.within(&frame).argument_or_unknown(default));
        }
        Some(arguments)
    }

    /// Creates a frame of names over the file-level ones.
    pub fn frame(self, names: Vec<(&'a str, Binding<'a>)>) -> Frame<'e, 'a> {
        Frame {
            names: names.into_iter().collect(),
            over: None,
        }
    }

    /// Chooses the class or specialisation for arguments; `None` if it is ambiguous or unknown.
    pub fn choose(self, family: usize, arguments: &[Argument<'a>]) -> Option<Chosen<'a>> {
        let family = self.env.families.get(family)?;
        let mut best: Option<Chosen<'a>> = None;
        let mut ambiguous = false;
        for class in family
            .variants
            .iter()
            .copied()
            .filter(|it| !it.specialises.is_empty())
        {
            let Some(own) = self.matched(class, arguments)? else {
                continue;
            };
            match best.as_ref().map(|it| it.arguments.len()) {
                // The specialisation with the fewest parameters of its own is taken as the most specialised one.
                Some(fewest) if fewest < own.len() => continue,
                Some(fewest) => ambiguous = fewest == own.len(),
                None => {}
            }
            best = Some(Chosen {
                class,
                arguments: own,
            });
        }
        match (ambiguous, best) {
            (true, _) => None,
            (false, Some(best)) => Some(best),
            (false, None) => Some(Chosen {
                class: family.primary()?,
                arguments: arguments.to_vec(),
            }),
        }
    }

    /// Matches a specialisation against arguments: `Some(None)` if it is for others, and `None` if that is unknown.
    fn matched(
        self,
        class: &Class<'a>,
        arguments: &[Argument<'a>],
    ) -> Option<Option<Arguments<'a>>> {
        if class.specialises.len() != arguments.len() {
            return None;
        }
        let mut own: Vec<Option<Argument<'a>>> = vec![None; class.parameters.len()];
        for (pattern, argument) in class.specialises.iter().zip(arguments) {
            let name = pattern.plain_name();
            let is_it = |it: &TemplateParameter<'a>| Some(it.name) == name;
            if let Some(at) = class.parameters.iter().position(is_it) {
                match &own[at] {
                    Some(Argument::Unknown) => return None,
                    Some(before) if !is_equal(before, argument) => return Some(None),
                    _ => own[at] = Some(argument.clone()),
                }
                continue;
            }
            // Nested patterns, as in `Box<Tile<T>>`, are not followed.
            if mentions_any(pattern, &class.parameters) {
                return None;
            }
            if matches!(argument, Argument::Unknown) {
                return None;
            }
            if !is_equal(&self.argument(pattern)?, argument) {
                return Some(None);
            }
        }
        let own: Option<Arguments<'a>> = own.into_iter().collect();
        Some(Some(own?))
    }

    /// Returns a constant, type or enumerator of a class or enumeration.
    pub fn member(self, owner: &Path<'a>, name: &str) -> Option<Binding<'a>> {
        let owner = self.resolve(owner);
        match self.find(&owner)?.entity {
            Entity::Enum(list) => {
                let (_, value) = list.into_iter().find(|(known, _)| *known == name)?;
                Some(Binding::of(Entity::Int(value), owner.span))
            }
            Entity::Class(family) => {
                let primary = self.env.families.get(family)?.primary();
                let parameters = primary.map_or(&[][..], |primary| &primary.parameters);
                let arguments = self.with_defaults(parameters, &owner.arguments)?;
                let chosen = self.choose(family, &arguments)?;
                self.member_of(&chosen, name)
            }
            _ => None,
        }
    }

    fn member_of(self, chosen: &Chosen<'a>, name: &str) -> Option<Binding<'a>> {
        let class = chosen.class;
        let names = bound(&class.parameters, &chosen.arguments, Span::default());
        let mut frame = self.frame(names);
        for member in &class.members {
            for (own, binding) in self.constants(&frame, member) {
                if own == name {
                    return Some(binding);
                }
                frame.names.insert(own, binding);
            }
        }
        let view = self.within(&frame);
        class.bases.iter().find_map(|base| view.member(base, name))
    }

    /// Returns the constants and types that a member declares.
    fn constants(self, frame: &Frame<'e, 'a>, member: &Stmt<'a>) -> Vec<(&'a str, Binding<'a>)> {
        let view = self.within(frame);
        match &member.kind {
            StmtKind::Declare {
                ty,
                constant: true,
                names,
            } => {
                let number = |ty, init, span| view.number(view.resolve(ty), true, init, span);
                let names = names.iter().filter(|name| !name.array && !name.pointer);
                names
                    .map(|name| (name.name, number(ty, &name.init, name.span)))
                    .collect()
            }
            StmtKind::Alias(alias) => {
                let mut alias = alias.clone();
                if alias.parameters.is_empty() {
                    alias.ty = view.closed(&alias.ty);
                }
                vec![(alias.name, Binding::of(Entity::Type(alias), member.span))]
            }
            StmtKind::Enum(list) => {
                let known = view.enumerators(list);
                let named = list.name.map(|name| {
                    let entity = Entity::Enum(known.clone());
                    (name, Binding::of(entity, member.span))
                });
                let plain = known.iter().filter(|_| !list.scoped);
                let plain = plain
                    .map(|(name, value)| (*name, Binding::of(Entity::Int(*value), member.span)));
                plain.chain(named).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the fields of a plain structure after initialisation; `None` for other types.
    pub fn record(self, ty: &Path<'a>, init: &Init<'a>) -> Option<Vec<(&'a str, Option<i128>)>> {
        let view = self.deeper_by(CALL_DEPTH)?;
        let Entity::Class(family) = view.find(ty)?.entity else {
            return None;
        };
        let class = self.env.families.get(family)?.primary()?;
        if !class.parameters.is_empty() || !class.bases.is_empty() {
            return None;
        }
        let mut fields: Vec<(&'a str, Option<i128>)> = Vec::new();
        for member in &class.members {
            match &member.kind {
                StmtKind::Declare {
                    constant: false,
                    names,
                    ty,
                } => {
                    for name in names {
                        let start = view.number(view.resolve(ty), false, &name.init, name.span);
                        let value = match start.entity {
                            Entity::Int(value) if !name.array && !name.indirect => value,
                            _ => None,
                        };
                        fields.push((name.name, value));
                    }
                }
                StmtKind::Function(function) if function.name == class.name => return None,
                _ => {}
            }
        }
        let list = match init {
            Init::Default => return Some(fields),
            Init::Arguments(list) => list,
            Init::Value(Expr {
                kind: ExprKind::Braces(list),
                ..
            }) => list,
            Init::Value(value) => {
                let copied = value.plain_name().and_then(|name| self.get(name));
                return match copied.map(|binding| &binding.entity) {
                    Some(Entity::Record(fields)) => Some(fields.clone()),
                    _ => Some(fields.into_iter().map(|(name, _)| (name, None)).collect()),
                };
            }
        };
        for (at, value) in list.iter().enumerate() {
            let (at, value) = match &value.kind {
                ExprKind::Field(name, inner) => (
                    fields.iter().position(|(known, _)| known == name)?,
                    &**inner,
                ),
                _ => (at, value),
            };
            fields.get_mut(at)?.1 = self.int(value);
        }
        Some(fields)
    }
}

fn mentions_any(expr: &Expr, parameters: &[TemplateParameter]) -> bool {
    let mut found = false;
    expr.visit(&mut |inner| {
        let name = inner.path().map(Path::name);
        found |= name.is_some_and(|name| parameters.iter().any(|it| it.name == name));
    });
    found
}
