//! Tests of pytest: called with the arguments of their decorators and fixtures, for the launches that they make.

use std::rc::Rc;

use super::super::dialects;
use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::{Cases, Function, Role, Value};
use super::objects::{ClassKind, Maker};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ParamKind, StmtKind};

/// Maximum number of cases of a test.
const MAX_CASES: usize = 64;
/// Maximum depth of fixtures that use fixtures.
const MAX_FIXTURES: u32 = 5;

/// The arguments of a case, by name.
type Case<'a> = Vec<(String, Value<'a>)>;

impl<'a> Tracer<'a> {
    /// Calls the tests of a module.
    pub fn run_tests(&mut self, body: &'a [ast::Stmt]) -> Eval<()> {
        for stmt in body {
            match &stmt.kind {
                // pytest's default naming: functions `test*` and classes `Test*`.
                StmtKind::Function(def) if def.name.text.starts_with("test") => {
                    let test = self.frame.own(&def.name.text);
                    self.run_test(test, None, def.full_span)?;
                }
                StmtKind::Class { name, body, .. } if name.text.starts_with("Test") => {
                    self.run_methods(&name.text, body)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn run_methods(&mut self, class: &str, body: &'a [ast::Stmt]) -> Eval<()> {
        let Some(Value::Class(class)) = self.frame.own(class) else {
            return Ok(());
        };
        for stmt in body {
            if let StmtKind::Function(def) = &stmt.kind
                && def.name.text.starts_with("test")
            {
                // pytest makes a new instance for each test method.
                let object = Value::Instance(self.instance(&class));
                self.run_test(class.lookup(&def.name.text), Some(object), def.full_span)?;
            }
        }
        Ok(())
    }

    fn run_test(
        &mut self,
        test: Option<Value<'a>>,
        object: Option<Value<'a>>,
        span: Span,
    ) -> Eval<()> {
        let Some(Value::Function(test)) = test else {
            return Ok(());
        };
        // Kernels and functions under unknown decorators are not called.
        if test.role != Role::Helper {
            return Ok(());
        }
        let fixtures = self.fixtures(&test, MAX_FIXTURES);
        let rows = fixtures.iter().flat_map(|(name, fixture)| {
            let cases = fixture.cases.iter();
            cases.map(move |cases| Cases {
                names: [request_of(name)].into(),
                rows: cases.rows.clone(),
            })
        });
        let all: Vec<Cases<'a>> = test.cases.iter().cloned().chain(rows).collect();
        for case in self.cases(&all)? {
            self.step()?;
            let mut arguments = Arguments::of(object.clone(), span);
            let mut given = case.clone();
            for param in &test.def.params[arguments.positional.len().min(test.def.params.len())..] {
                let name = &param.name.text;
                let takes = matches!(param.kind, ParamKind::Normal | ParamKind::KeywordOnly);
                let is_given = given.iter().any(|(known, _)| known == name);
                // Defaults and arguments of `parametrize` have precedence over fixtures.
                if !takes || is_given || param.default.is_some() {
                    continue;
                }
                let value = self.fixture_value(name, &case, span, MAX_FIXTURES)?;
                given.push((name.clone(), value));
            }
            let is_param = |name: &String| test.def.params.iter().any(|it| it.name.text == *name);
            let keywords = given.into_iter().filter(|(name, _)| is_param(name));
            arguments.keywords = keywords.map(|(name, value)| (name, value, span)).collect();
            let run = |tracer: &mut Self| tracer.inline(&test, arguments, span);
            // A failing test does not keep the others from being evaluated.
            self.guarded(Value::Unknown, run)?;
            self.doubts.settle();
        }
        Ok(())
    }

    /// Returns the fixtures that a function uses, directly or through other fixtures.
    fn fixtures(&self, function: &Function<'a>, deep: u32) -> Vec<(String, Rc<Function<'a>>)> {
        let mut found = Vec::new();
        if deep == 0 {
            return found;
        }
        for param in &function.def.params {
            if let Some(Value::Function(fixture)) = self.frame.get(&param.name.text)
                && fixture.is_fixture
            {
                found.extend(self.fixtures(&fixture, deep - 1));
                found.push((param.name.text.clone(), fixture));
            }
        }
        found.truncate(MAX_CASES);
        found
    }

    /// Returns the value of a fixture in a case.
    fn fixture_value(
        &mut self,
        name: &str,
        case: &Case<'a>,
        span: Span,
        deep: u32,
    ) -> Eval<Value<'a>> {
        let fixture = match self.frame.get(name) {
            Some(Value::Function(fixture)) if fixture.is_fixture && deep > 0 => fixture,
            _ => return Ok(Value::Unknown),
        };
        let mut arguments = Arguments::default();
        for param in &fixture.def.params {
            let asked = &param.name.text;
            let value = match asked.as_str() {
                "request" => {
                    // `request.param` is the current value of the fixture's `params`.
                    let own = request_of(name);
                    let param = case.iter().find(|(known, _)| *known == own);
                    let class = self.made_class("request", ClassKind::Plain);
                    let request = self.instance(&class);
                    let value = param.map_or(Value::Unknown, |(_, value)| value.clone());
                    request.set_first("param", value);
                    Value::Instance(request)
                }
                other => self.fixture_value(other, case, span, deep - 1)?,
            };
            arguments.keywords.push((asked.clone(), value, span));
        }
        let value = self.inline(&fixture, arguments, span)?;
        if !fixture.def.is_generator {
            return Ok(value);
        }
        // The first item that it yields; the code after the `yield` is cleanup.
        let first = self.first_items(&value, 1)?;
        let first = first.and_then(|items| items.into_iter().next());
        Ok(first.unwrap_or(Value::Unknown))
    }

    /// Returns every combination of the rows of cases, as stacked `parametrize` decorators do.
    fn cases(&mut self, all: &[Cases<'a>]) -> Eval<Vec<Case<'a>>> {
        let mut combined: Vec<Case<'a>> = vec![Vec::new()];
        for cases in all {
            let mut next = Vec::new();
            for case in &combined {
                for row in cases.rows.iter() {
                    if next.len() == MAX_CASES {
                        break;
                    }
                    let values = match row {
                        Value::Maker(maker) if let Maker::Row(values) = &**maker => {
                            Some(values.clone())
                        }
                        // A single name takes the row itself, several names unpack it.
                        _ if cases.names.len() == 1 => Some(vec![row.clone()]),
                        _ => self.static_items(row)?,
                    };
                    let mut extended = case.clone();
                    for (at, name) in cases.names.iter().enumerate() {
                        let value = values.as_ref().and_then(|values| values.get(at));
                        extended.push((name.clone(), value.cloned().unwrap_or(Value::Unknown)));
                    }
                    next.push(extended);
                }
            }
            combined = next;
        }
        Ok(combined)
    }

    /// Evaluates a function that no code calls, for the kernels that it defines.
    pub fn look_inside(&mut self, function: &Rc<Function<'a>>) -> Eval<()> {
        let span = function.def.full_span;
        let mut arguments = Arguments::default();
        // The arguments of such a call are unknown.
        arguments.spread.push(Value::Unknown);
        // Defaults are the best-known values of a factory, so they are used where they exist.
        for (param, default) in function.def.params.iter().zip(function.defaults.iter()) {
            let takes = matches!(param.kind, ParamKind::Normal | ParamKind::KeywordOnly);
            if let (true, Some(default)) = (takes, default) {
                let name = param.name.text.clone();
                let value = dialects::on_this_device(default);
                arguments.keywords.push((name, value, span));
            }
        }
        self.is_looking = true;
        let run = |tracer: &mut Self| tracer.run(function, arguments, span);
        let looked = self.guarded(Value::Unknown, run);
        self.is_looking = false;
        looked.map(drop)
    }
}

/// Returns the internal name of the parameter value of a fixture.
fn request_of(fixture: &str) -> String {
    format!("{fixture}.request")
}
