//! Call expressions: what is called.

use a2lint_source::text::Span;

use super::Eval;
use super::names::{Found, Local, Scope};
use super::overloads::Chosen;
use super::substitution::Failure;
use super::types::{Kind, Ty};
use super::values::{FunctionId, Operand, Overloads, Place, Value};
use crate::library::{Call, Evaluated, Outcome};
use crate::syntax::ast::{Expr, ExprKind, Name, Path};

impl<'u> Eval<'u> {
    /// Evaluates `callee(arguments)`.
    pub(crate) fn call(
        &mut self,
        expr: &'u Expr,
        callee: &'u Expr,
        arguments: &'u [Expr],
    ) -> Evaluated<Operand> {
        let span = expr.span;
        match &callee.kind {
            ExprKind::Path(path) => self.call_path(path, arguments, span),
            ExprKind::Member {
                object,
                is_arrow,
                member,
            } => {
                let object = self.member_object(object, *is_arrow)?;
                let last = member.segments.last().expect("paths are not empty");
                if last.name.starts_with('~') {
                    if let Some(cell) = object.object() {
                        self.destroy(cell, &object.ty.clone(), span)?;
                    }
                    return Ok(Operand::void(span));
                }
                let is_virtual = member.segments.len() == 1;
                let callee = self.member(object, member, callee.span)?;
                let arguments = self.arguments(arguments)?;
                self.call_value(callee, arguments, is_virtual, (last.span, span))
            }
            ExprKind::MemberPointer {
                object,
                is_arrow,
                member,
            } => {
                let object = self.member_object(object, *is_arrow)?;
                let pointer = self.expr(member)?;
                let pointer = self.decayed(pointer)?;
                let arguments = self.arguments(arguments)?;
                match self.value_of(&pointer)? {
                    Value::Function(function) => {
                        let bound = Vec::new();
                        let chosen = Chosen { function, bound };
                        self.call_method(chosen, object, arguments, true, (member.span, span))
                    }
                    _ => {
                        let what = "which member is called here is not known";
                        self.unknown_call(what, Some(&object), &arguments, span)
                    }
                }
            }
            _ => {
                let callee_value = self.expr(callee)?;
                let arguments = self.arguments(arguments)?;
                self.call_value(callee_value, arguments, true, (callee.span, span))
            }
        }
    }

    fn call_path(
        &mut self,
        path: &'u Path,
        arguments: &'u [Expr],
        span: Span,
    ) -> Evaluated<Operand> {
        let last = path.segments.last().expect("paths are not empty");
        let found = self.find_path(path)?;
        let found = match found {
            Found::Local(Local::Entities(entities, context)) => {
                Found::Entities(entities, context, None)
            }
            found => found,
        };
        if let Found::Entities(..) | Found::Functions(_) = &found {
            let functions = self.functions_of(&found);
            if !functions.is_empty() {
                return self.call_named(functions, path, arguments, span);
            }
        }
        let is_value = matches!(&found, Found::Local(Local::Object(..) | Local::Pack(_)));
        if !is_value
            && last.arguments.is_none()
            && let Some(template) = self.found_open_template(&found)
        {
            let arguments = self.arguments(arguments)?;
            if let Some(ty) = self.deduced_class(template, &arguments)? {
                return self.constructed(&ty, arguments, span);
            }
            let what = format!("which `{}` this is could not be deduced", last.name);
            return self.unknown_call(&what, None, &arguments, span);
        }
        if !is_value {
            let ty = self.found_type(found.clone(), last.arguments.as_deref(), last.span)?;
            if let Some(ty) = ty {
                let arguments = self.arguments(arguments)?;
                return self.constructed(&ty, arguments, span);
            }
        }
        if let Found::Library(name) = &found {
            return self.call_unfound(&name.clone(), path, arguments, span);
        }
        let callee = self.found_value(found, path)?;
        let arguments = self.arguments(arguments)?;
        self.call_value(callee, arguments, true, (last.span, span))
    }

    /// Calls a function by its name: those in sight and those of the arguments' namespaces.
    fn call_named(
        &mut self,
        mut functions: Vec<FunctionId>,
        path: &'u Path,
        arguments: &'u [Expr],
        span: Span,
    ) -> Evaluated<Operand> {
        let last = path.segments.last().expect("paths are not empty");
        let explicit = match &last.arguments {
            Some(arguments) => Some(self.template_arguments(arguments)?),
            None => None,
        };
        let arguments = self.arguments(arguments)?;
        let class = functions.iter().find_map(|id| self.info(*id).class);
        if path.segments.len() == 1 && class.is_none() {
            for argument in &arguments {
                self.add_associated(&last.name, &argument.ty, &mut functions)?;
            }
        }
        let object = match class {
            Some(class) => self.this_for(class, path.span)?,
            None => None,
        };
        let spans = (last.span, span);
        let chosen = self.choose(&functions, explicit.as_deref(), object.as_ref(), &arguments)?;
        let chosen = match chosen {
            Ok(chosen) => chosen,
            Err(why) => {
                self.fails_to_choose(why, &functions, &arguments);
                let asked = self.asked(&functions, &arguments);
                let what = format!("{why} of `{}`{asked}", last.name);
                return self.unresolved_call(&what, object.as_ref(), &arguments, span);
            }
        };
        match object {
            Some(object) => {
                let is_virtual = path.segments.len() == 1;
                self.call_method(chosen, object, arguments, is_virtual, spans)
            }
            None => self.call_function(chosen.function, chosen.bound, None, arguments, spans),
        }
    }

    /// Calls a function that lookup does not find: one of an argument's namespace, or the library's.
    fn call_unfound(
        &mut self,
        name: &Name,
        path: &'u Path,
        arguments: &'u [Expr],
        span: Span,
    ) -> Evaluated<Operand> {
        let last = path.segments.last().expect("paths are not empty");
        let template = match &last.arguments {
            Some(arguments) => self.template_arguments(arguments)?,
            None => Vec::new(),
        };
        let operands = self.arguments(arguments)?;
        if path.segments.len() == 1 {
            let mut functions = Vec::new();
            for operand in &operands {
                self.add_associated(name, &operand.ty, &mut functions)?;
            }
            if !functions.is_empty()
                && let Ok(chosen) = self.choose(&functions, Some(&template), None, &operands)?
            {
                let spans = (last.span, span);
                return self.call_function(chosen.function, chosen.bound, None, operands, spans);
            }
        }
        let is_dependent = path.segments.len() > 1
            && matches!(
                self.scope_of(path)?,
                Scope::Type(Ty {
                    kind: Kind::Unknown,
                    ..
                })
            );
        if is_dependent {
            let what = format!("what `{name}` is a member of is not known");
            return self.unknown_call(&what, None, &operands, span);
        }
        let overloads = Overloads {
            name: name.clone(),
            functions: Vec::new(),
            arguments: Some(template.into()),
            object: None,
            is_library: true,
        };
        self.call_library_function(&overloads, operands, (last.span, span))
    }

    fn call_library_function(
        &mut self,
        overloads: &Overloads,
        operands: Vec<Operand>,
        (name_span, span): (Span, Span),
    ) -> Evaluated<Operand> {
        let name = &overloads.name;
        let library = self.library;
        let call = Call {
            name,
            template: overloads.arguments.as_deref().unwrap_or_default(),
            operands: &operands,
            function: None,
            returns: None,
            name_span,
            span,
        };
        match library.call(self, call)? {
            Outcome::Done(made) => return Ok(made.at(span)),
            Outcome::Unknown(what) => return self.unknown_call(&what, None, &operands, span),
            Outcome::Follows(what) => return self.follower_call(&what, None, &operands, span),
            Outcome::NotMine => {}
        }
        // An object of the library may be called by its name.
        if let Some(object) = library.find_value(self, name, name_span) {
            return self.call_value(object, operands, true, (name_span, span));
        }
        self.fails(Failure::NotKnown);
        library.undeclared(self, name, true, name_span);
        let what = format!("`{name}` is not known");
        self.unknown_call(&what, None, &operands, span)
    }

    /// Calls the value of an expression: a function, a lambda, or an object with `operator()`.
    pub(crate) fn call_value(
        &mut self,
        callee: Operand,
        arguments: Vec<Operand>,
        is_virtual: bool,
        spans: (Span, Span),
    ) -> Evaluated<Operand> {
        let (_, span) = spans;
        if let Place::Overloads(overloads) = &callee.place {
            let overloads = overloads.clone();
            return self.call_overloads(&overloads, arguments, is_virtual, spans);
        }
        if let Kind::Class(class) = callee.ty.kind {
            let name: Name = "operator()".into();
            let found = self.find_in_class(class, &name)?;
            let functions = found
                .map(|found| self.functions_of(&found))
                .unwrap_or_default();
            if !functions.is_empty() {
                return match self.choose(&functions, None, Some(&callee), &arguments)? {
                    Ok(chosen) => self.call_method(chosen, callee, arguments, true, spans),
                    Err(why) => {
                        let what = format!("{why} of `operator()`");
                        self.unknown_call(&what, Some(&callee), &arguments, span)
                    }
                };
            }
            // A class that converts to a pointer to a function.
            for to in self.conversion_functions(class)? {
                let object = Some(callee.clone());
                let made = self.call_function(to, Vec::new(), object, Vec::new(), spans)?;
                if matches!(made.ty.kind, Kind::Pointer(..)) {
                    return self.call_value(made, arguments, is_virtual, spans);
                }
            }
        }
        if let Kind::Library(_) = callee.ty.kind {
            let overloads = Overloads {
                name: "operator()".into(),
                functions: Vec::new(),
                arguments: None,
                object: None,
                is_library: true,
            };
            return self.call_library_method(&overloads, &callee, &arguments, spans);
        }
        match self.value_of(&callee)? {
            Value::Function(function) => {
                self.call_function(function, Vec::new(), None, arguments, spans)
            }
            Value::Closure(closure) => self.call_closure(&closure, arguments, span),
            Value::Unknown => {
                let what = "what is called here is not known";
                self.follower_call(what, None, &arguments, span)
            }
            _ => {
                let what = "what is called here is not a function";
                self.unknown_call(what, None, &arguments, span)
            }
        }
    }

    fn call_overloads(
        &mut self,
        overloads: &Overloads,
        arguments: Vec<Operand>,
        is_virtual: bool,
        spans: (Span, Span),
    ) -> Evaluated<Operand> {
        let object = overloads.object.clone();
        match (&object, overloads.is_library) {
            (Some(object), true) => {
                return self.call_library_method(overloads, object, &arguments, spans);
            }
            (None, true) => return self.call_library_function(overloads, arguments, spans),
            _ => {}
        }
        if overloads.functions.is_empty() {
            let what = format!("`{}` is not known", overloads.name);
            return self.unknown_call(&what, object.as_ref(), &arguments, spans.1);
        }
        let chosen = self.choose(
            &overloads.functions,
            overloads.arguments.as_deref(),
            object.as_ref(),
            &arguments,
        )?;
        match (chosen, object) {
            (Ok(chosen), Some(object)) => {
                self.call_method(chosen, object, arguments, is_virtual, spans)
            }
            (Ok(chosen), None) => {
                self.call_function(chosen.function, chosen.bound, None, arguments, spans)
            }
            (Err(why), object) => {
                self.fails_to_choose(why, &overloads.functions, &arguments);
                let asked = self.asked(&overloads.functions, &arguments);
                let what = format!("{why} of `{}`{asked}", overloads.name);
                self.unresolved_call(&what, object.as_ref(), &arguments, spans.1)
            }
        }
    }
}
