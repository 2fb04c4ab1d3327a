//! Hovers on names: variables, loop counters, parameters, mutexes, events, helpers, constants.

use super::instruction::word;
use super::{Simulate, WIDTH, links, picture, tensor};
use crate::markdown;
use crate::simulation::{self, Values};
use crate::snapshot::Snapshot;
use a2lint_ir::sync::{self, Act, Token};
use a2lint_ir::{
    NamedNumber, NamedValue, Param, ParamKind, Program, Scalar, ScalarNames, StmtId, StmtKind,
    Variable, VariableId, VariableKind,
};
use a2lint_machine::{Inspection, Relevance, Value};
use a2lint_report::run::float_text;
use a2lint_report::{cut, filled, number_text};
use a2lint_run::Cancel;
use a2lint_source::text::Span;
use a2lint_syntax::python::scopes::Symbol;

/// Maximum number of values of a variable that are listed.
const LISTED: usize = 6;
/// Maximum number of launches that are listed.
const LAUNCHES: usize = 6;
/// Maximum number of fields of a structure that are listed.
const FIELDS: usize = 16;

/// Describes the name at an offset.
pub fn at(snapshot: &Snapshot, offset: u32, simulate: Simulate) -> Option<(Vec<String>, Span)> {
    let (symbol, span) = snapshot.scopes().at(offset)?;
    let name = Name {
        snapshot,
        symbol,
        offset,
    };
    let programs = || snapshot.module().programs.iter();
    let text = programs()
        .find_map(|program| name.parameter(program))
        .or_else(|| programs().find_map(|program| name.variable(program, simulate)))
        .or_else(|| programs().find_map(|program| name.token(program)))
        .or_else(|| name.binding())?;
    Some((text, span))
}

/// Describes the parameters of a kernel that a name in a signature declares: one, or one for each field of a structure.
pub fn parameters(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let mut programs = snapshot.module().programs.iter();
    programs.find_map(|program| {
        let params = program.params.iter();
        let declared = params.filter(|param| param.span.touches(offset));
        let declared: Vec<&Param> = declared.collect();
        let span = declared.first()?.span;
        if let [only] = declared[..] {
            return Some((parameter(snapshot, program, only), span));
        }
        let name = markdown::text(snapshot.map.text_of(span));
        let title = format!("**{name}** — fields and their values in launches");
        let mut rows: Vec<(&str, String)> = Vec::new();
        for param in declared.into_iter().take(FIELDS) {
            rows.push((&param.name, launched(snapshot, program, &param.name)));
        }
        Some((vec![title, picture::block(&rows)], span))
    })
}

/// Describes the number that a name stands for at an offset of a kernel in C++: a local variable, a member, a constant.
pub fn number(snapshot: &Snapshot, offset: u32, simulate: Simulate) -> Option<(Vec<String>, Span)> {
    let word = word(snapshot, offset)?;
    let is_here =
        |named: &&NamedNumber| named.span.end == word.end && named.span.start <= word.start;
    let mut programs = snapshot.module().programs.iter();
    let (program, first) = programs.find_map(|program| {
        let here = program.named.iter().filter(is_here);
        Some((program, here.min_by_key(|it| it.span.end - it.span.start)?))
    })?;
    let mut others = program.named.iter().filter(|it| it.span == first.span);
    let name = markdown::text(snapshot.map.text_of(first.span));
    let said = match first.value {
        NamedValue::Known(value) => format!("= {value}"),
        NamedValue::Scalar(id) => match program.scalars.get(id) {
            Scalar::Variable(variable) => format!("— {}", kind_text(program.variable(variable))),
            _ => format!("= {}", markdown::code(&ScalarNames::new(program).text(id))),
        },
    };
    let mut text = vec![filled(&format!("**{name}** {said}"), 0, WIDTH)];
    if let (NamedValue::Scalar(id), Simulate::Unless(cancel, _)) = (first.value, simulate)
        && let Some(watched) = instruction_after(program, first)
    {
        let read = |inspection: &mut Inspection| inspection.scalar(id);
        text.push(simulated(snapshot, program, watched, &read, cancel));
    }
    if others.any(|it| it.value != first.value) {
        text.push("*It is evaluated several times from here; this is the first.*".to_owned());
    }
    Some((text, word))
}

/// Returns the first instruction after the use of a name that is executed in the same iteration.
fn instruction_after(program: &Program, named: &NamedNumber) -> Option<StmtId> {
    let instructions = program.instructions().into_iter();
    // Signals have no operands, and are not observed.
    let working = instructions.filter(|(_, instr)| instr.operands().next().is_some());
    let after = working.map(|(stmt, _)| stmt.id);
    let next = after.filter(|id| *id >= named.before).min()?;
    let mut ends_before = false;
    program.walk(&mut |stmt| {
        // A loop has a larger number than the statements in it.
        let is_between = named.before <= stmt.id && stmt.id < next;
        ends_before |= is_between && matches!(stmt.kind, StmtKind::Loop { .. });
    });
    (!ends_before).then_some(next)
}

/// Formats the values of a number before a statement in a launch of the file, or why there are none.
fn simulated(
    snapshot: &Snapshot,
    program: &Program,
    stmt: StmtId,
    read: &dyn Fn(&mut Inspection) -> Value,
    cancel: &Cancel,
) -> String {
    match simulation::values(snapshot, program, stmt, read, cancel) {
        Ok((values, origin)) => picture::block(&[("values", values_text(&values, &origin))]),
        Err(reason) => filled(
            &format!("*Not simulated: {}.*", markdown::text(&reason)),
            0,
            WIDTH,
        ),
    }
}

/// Describes a kernel parameter, with its value in each launch of the file.
fn parameter(snapshot: &Snapshot, program: &Program, param: &Param) -> Vec<String> {
    let variable = match param.kind {
        ParamKind::Global(id) => return tensor::global(snapshot, program, id),
        ParamKind::Variable(id) => Some(program.variable(id)),
        ParamKind::Constant | ParamKind::Unknown => None,
    };
    let what = match variable {
        Some(variable) => format!("{}scalar parameter", type_text(variable)),
        None => "parameter, evaluated when the kernel is traced".to_owned(),
    };
    let title = format!(
        "**{}** — {what} of {}",
        markdown::text(&param.name),
        markdown::code(&program.name)
    );
    let text = launched(snapshot, program, &param.name);
    vec![title, picture::block(&[("launches", text)])]
}

/// Lists the values of a parameter in the launches of the file.
fn launched(snapshot: &Snapshot, program: &Program, name: &str) -> String {
    let launches = simulation::launches(snapshot, program);
    let value = |launch: &&a2lint_ir::Launch| {
        let mut scalars = launch.scalars.iter();
        let (_, value) = scalars.find(|(given, _)| given == name)?;
        Some(number_text(*value).to_string())
    };
    let values: Vec<String> = launches.iter().filter_map(value).collect();
    match values.len() {
        0 => "no launch in the file gives it a value".to_owned(),
        number => {
            let more = if number > LAUNCHES { ", …" } else { "" };
            let shown = values[..number.min(LAUNCHES)].join(", ");
            format!("{shown}{more}")
        }
    }
}

struct Name<'a> {
    snapshot: &'a Snapshot,
    symbol: &'a Symbol,
    offset: u32,
}

impl Name<'_> {
    /// Returns whether an item called `name` and created at `made` is this symbol: the creation and one of the symbol's
    /// bindings share a line or touch.
    fn is(&self, name: &str, made: Span) -> bool {
        let line = |offset: u32| self.snapshot.source().line_index(offset);
        let mut bindings = self.symbol.bindings.iter();
        name == self.symbol.name
            && bindings.any(|it| made.touches(it.start) || line(it.start) == line(made.start))
    }

    /// Describes a kernel parameter, with its value in each launch of the file.
    fn parameter(&self, program: &Program) -> Option<Vec<String>> {
        let mut params = program.params.iter();
        let param = params.find(|param| self.is(&param.name, param.span))?;
        let mut text = parameter(self.snapshot, program, param);
        text.extend(links::of_place(self.snapshot, self.offset));
        Some(text)
    }

    /// Describes a device variable, with the values that it takes in a launch of the file.
    fn variable(&self, program: &Program, simulate: Simulate) -> Option<Vec<String>> {
        let mut variables = program.variables.iter();
        let index = variables.position(|it| self.is(&it.name, it.span))?;
        let (id, variable) = (VariableId(index as u32), &program.variables[index]);
        let mut title = format!(
            "**{}** — {}",
            markdown::text(&variable.name),
            kind_text(variable)
        );
        let counter = counted(program, id);
        if let Some(range) = &counter {
            title.push_str(&format!(": {}", markdown::code(range)));
        }
        let mut text = vec![filled(&title, 0, WIDTH)];
        if let Simulate::Unless(cancel, _) = simulate
            && let Some(watched) = self.next_instruction(program, id)
        {
            let read = |inspection: &mut Inspection| inspection.variable(id);
            text.push(simulated(self.snapshot, program, watched, &read, cancel));
        }
        Some(text)
    }

    /// Returns the instruction before which the variable is sampled: the first one at or after the hovered line,
    /// inside of the loop if the variable is its counter. Instructions of sides that do not need the variable are
    /// passed over, because their lanes do not compute it.
    fn next_instruction(&self, program: &Program, id: VariableId) -> Option<StmtId> {
        let mut inside = None;
        program.walk(&mut |stmt| {
            if let StmtKind::Loop { variable, .. } = &stmt.kind
                && *variable == id
            {
                inside.get_or_insert(stmt);
            }
        });
        let relevance = Relevance::of(program);
        let line = |offset: u32| self.snapshot.source().line_index(offset);
        let here = line(self.offset);
        let mut first = None;
        let mut next = None;
        let mut visit = |stmt: &a2lint_ir::Stmt| {
            if let StmtKind::Instr(instr) = &stmt.kind
                && !relevance.is_foreign(sync::side_of(program, instr), id)
            {
                first.get_or_insert(stmt.id);
                if line(stmt.span.start) >= here {
                    next.get_or_insert(stmt.id);
                }
            }
        };
        match inside {
            Some(stmt) => stmt.walk(&mut |stmt| visit(stmt)),
            None => program.walk(&mut |stmt| visit(stmt)),
        }
        next.or(first)
    }

    /// Describes an event or a mutex: the places that set it and the places that wait for it.
    fn token(&self, program: &Program) -> Option<Vec<String>> {
        let event = program
            .events
            .iter()
            .position(|it| self.is(&it.name, it.span));
        let mutex = program
            .mutexes
            .iter()
            .position(|it| self.is(&it.name, it.span));
        let title = match (event, mutex) {
            (Some(at), _) => event_title(&program.events[at]),
            (None, Some(at)) => mutex_title(&program.mutexes[at]),
            _ => return None,
        };
        let calls = sync::calls(program);
        let places = |act: Act, credit: bool| {
            let is_it = |token: Token| match token {
                Token::Event(id) => !credit && event == Some(id.index()),
                Token::Data(id) => !credit && event.is_none() && mutex == Some(id.index()),
                Token::Credit(id) => credit && event.is_none() && mutex == Some(id.index()),
                _ => false,
            };
            let found = calls
                .iter()
                .filter(|call| call.act == act && is_it(call.token));
            tensor::places_text(self.snapshot, found.map(|call| call.stmt.span).collect())
        };
        let mut rows = vec![
            ("sets", places(Act::Set, false)),
            ("waits", places(Act::Wait, false)),
        ];
        if event.is_none() {
            rows.push(("frees", places(Act::Set, true)));
            rows.push(("waits for a free slot", places(Act::Wait, true)));
        }
        Some(vec![filled(&title, 0, WIDTH), picture::block(&rows)])
    }

    /// Describes a function or a constant of this file: where it is defined, and where it is used.
    fn binding(&self) -> Option<Vec<String>> {
        let source = self.snapshot.source();
        let first = self.symbol.bindings.first()?;
        if self.snapshot.module().programs.is_empty() {
            return None;
        }
        let line = source.line_span(source.line_index(first.start))?;
        let text = source.slice(line).trim();
        let is_definition = text.starts_with("def ");
        let is_constant = text.starts_with(&self.symbol.name) && text.contains('=');
        if !is_definition && !is_constant {
            return None;
        }
        let mut rows = vec![("made", self.snapshot.place(*first))];
        let verb = if is_definition { "called" } else { "used" };
        rows.push((
            verb,
            tensor::places_text(self.snapshot, self.symbol.uses.clone()),
        ));
        let code = markdown::fence("python", &cut(text, WIDTH));
        Some(vec![code, picture::block(&rows)])
    }
}

/// Formats type and kind of a variable: `int32 device variable, assigned once`.
fn kind_text(variable: &Variable) -> String {
    let what = match variable.kind {
        VariableKind::Loop => "loop counter".to_owned(),
        VariableKind::Param => "scalar parameter".to_owned(),
        VariableKind::Declared | VariableKind::Temporary | VariableKind::Prepared(_) => {
            match variable.assignments {
                0 => "device variable, never assigned".to_owned(),
                1 => "device variable, assigned once".to_owned(),
                number => format!("device variable, assigned {number} times"),
            }
        }
    };
    format!("{}{what}", type_text(variable))
}

/// Formats the element type of a variable with a trailing space, as in `int32 `.
fn type_text(variable: &Variable) -> String {
    variable
        .dtype
        .map_or(String::new(), |dtype| format!("{dtype} "))
}

/// Returns the bounds of the loop that counts in a variable, as `range(start, stop, step)`.
fn counted(program: &Program, id: VariableId) -> Option<String> {
    let names = ScalarNames::new(program);
    let mut found = None;
    program.walk(&mut |stmt| {
        if let StmtKind::Loop {
            variable,
            start,
            stop,
            step,
            ..
        } = &stmt.kind
            && *variable == id
        {
            let [start, stop, step] = [start, stop, step].map(|id| names.text(*id));
            found.get_or_insert(format!("range({start}, {stop}, {step})"));
        }
    });
    found
}

/// Formats the values of a variable as `0 to 960 in 16 executions: 0, 64, 128, …`.
fn values_text(values: &Values, origin: &str) -> String {
    let text = |value: f64| match value.fract() == 0.0 {
        true => number_text(value),
        false => float_text(value),
    };
    let texts: Vec<String> = values.first.iter().map(|it| text(*it)).collect();
    let shown = texts[..texts.len().min(LISTED)].join(", ");
    let more = if values.distinct > LISTED {
        ", …"
    } else {
        ""
    };
    let at_least = if values.is_complete { "" } else { "so far " };
    let range = match values.min == values.max {
        true => shown,
        false => format!(
            "{} to {} ({shown}{more})",
            text(values.min),
            text(values.max)
        ),
    };
    let executions = a2lint_source::spelling::count(values.executions, "execution");
    format!("{at_least}{range} in {executions} on all lanes; {origin}")
}

fn event_title(event: &a2lint_ir::Event) -> String {
    let pipe = |pipe: Option<a2lint_isa::Pipe>| pipe.map_or("?".to_owned(), |it| it.to_string());
    let preset = if event.preset {
        ", set at the start"
    } else {
        ""
    };
    let (src, dst) = (pipe(event.src), pipe(event.dst));
    format!(
        "**{}** — event: {dst} waits for {src}{preset}",
        markdown::text(&event.name)
    )
}

fn mutex_title(mutex: &a2lint_ir::Mutex) -> String {
    let depth = mutex
        .depth
        .map_or(String::new(), |depth| format!(", depth {depth}"));
    let (from, to) = (sync::producer(mutex), mutex.dst_start);
    format!(
        "**{}** — mutex: the {from} side produces ({} to {}), {to} consumes{depth}",
        markdown::text(&mutex.name),
        mutex.src_start,
        mutex.src_end
    )
}
