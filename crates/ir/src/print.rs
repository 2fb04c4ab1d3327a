//! Prints a program as text: one line for each statement, with all inferred arguments.

use std::cell::RefCell;
use std::fmt::Write;

use super::{
    Arg, ArgSource, ArgValue, AtomicKind, GlobalView, Instr, LocalView, Program, ScalarId,
    ScalarNames, Stmt, StmtKind, VariableId, View,
};
use a2lint_source::text::Span;

/// Longest expression that is repeated in full, in bytes.
const LONGEST: usize = 48;
/// Minimum width of the column of lines.
const LINE_WIDTH: usize = 5;

/// Prints a program; each line is prefixed with the line of its source, which `place` formats. Long expressions are
/// printed once, with a name.
pub fn print(program: &Program, place: impl Fn(Span) -> String) -> String {
    let mut printer = Printer::new(program);
    printer.long = Some(RefCell::default());
    let mut out = printer.header();
    printer.block(&program.body, 1);
    for (number, id) in printer.long.iter().flat_map(RefCell::take).enumerate() {
        let _ = writeln!(out, "  ${} = {}", number + 1, printer.names.text(id));
    }
    let places = printer.lines.iter().map(|(stmt, ..)| place(stmt.span));
    let places: Vec<String> = places.collect();
    let width = places.iter().map(|place| place.chars().count()).max();
    let width = width.unwrap_or(0).max(LINE_WIDTH);
    for ((_, depth, text), place) in printer.lines.iter().zip(places) {
        let indent = depth * 2;
        let _ = writeln!(out, "{place:>width$} {:indent$}{text}", "");
    }
    out
}

/// Returns the statements of a program in order, each with its text. A branch appears once for each of its
/// arms.
pub fn print_statements(program: &Program) -> Vec<(&Stmt, String)> {
    let mut printer = Printer::new(program);
    printer.block(&program.body, 0);
    let lines = printer.lines.into_iter();
    lines
        .map(|(stmt, depth, text)| (stmt, format!("{:indent$}{text}", "", indent = depth * 2)))
        .collect()
}

struct Printer<'a> {
    program: &'a Program,
    names: ScalarNames<'a>,
    /// Statements with their depth and text.
    lines: Vec<(&'a Stmt, usize, String)>,
    /// The long expressions with a name, by their numbers; `None` to print them in full.
    long: Option<RefCell<Vec<ScalarId>>>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program) -> Printer<'a> {
        Printer {
            program,
            names: ScalarNames::bare(program),
            lines: Vec::new(),
            long: None,
        }
    }

    /// Formats a scalar: a long expression by its name.
    fn scalar(&self, id: ScalarId) -> String {
        let text = self.names.text(id);
        let Some(long) = self.long.as_ref().filter(|_| text.len() > LONGEST) else {
            return text;
        };
        let mut long = long.borrow_mut();
        let known = long.iter().position(|known| *known == id);
        let number = known.unwrap_or(long.len());
        if known.is_none() {
            long.push(id);
        }
        format!("${}", number + 1)
    }

    fn header(&self) -> String {
        let mut out = String::new();
        let params: Vec<&str> = self
            .program
            .params
            .iter()
            .map(|p| p.name.as_str())
            .collect();
        let _ = writeln!(out, "kernel {}({})", self.program.name, params.join(", "));
        for buffer in &self.program.buffers {
            let [rows, columns] = buffer.shape.map(|extent| self.scalar(extent));
            let slots = match buffer.slots {
                1 => String::new(),
                slots => format!(" x{slots}"),
            };
            let _ = writeln!(
                out,
                "  {} {} [{rows}, {columns}]{slots} in {}",
                buffer.label(),
                buffer.dtype,
                buffer.position
            );
        }
        out
    }

    fn line(&mut self, stmt: &'a Stmt, depth: usize, text: &str) {
        self.lines.push((stmt, depth, text.to_owned()));
    }

    fn block(&mut self, block: &'a [Stmt], depth: usize) {
        for stmt in block {
            self.stmt(stmt, depth);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt, depth: usize) {
        match &stmt.kind {
            StmtKind::Instr(instr) => {
                let text = self.instr(instr);
                self.line(stmt, depth, &text);
            }
            StmtKind::Assign { variable, value } => {
                let text = format!("{} = {}", self.variable(*variable), self.scalar(*value));
                self.line(stmt, depth, &text);
            }
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let [start, stop, step] = [start, stop, step].map(|id| self.scalar(*id));
                let name = self.variable(*variable);
                self.line(
                    stmt,
                    depth,
                    &format!("for {name} in range({start}, {stop}, {step})"),
                );
                self.block(body, depth + 1);
            }
            StmtKind::UnknownLoop { body } => self.nested(stmt, depth, "for ?", body),
            StmtKind::If { arms, otherwise } => {
                for (at, arm) in arms.iter().enumerate() {
                    let word = if at == 0 { "if" } else { "elif" };
                    let condition = self.scalar(arm.condition);
                    self.nested(stmt, depth, &format!("{word} {condition}"), &arm.body);
                }
                if !otherwise.is_empty() {
                    self.nested(stmt, depth, "else", otherwise);
                }
            }
            StmtKind::AutoSync { body, .. } => self.nested(stmt, depth, "auto_sync", body),
            StmtKind::Scope { side, body } => {
                self.nested(stmt, depth, &format!("{side} scope"), body);
            }
            StmtKind::Atomic { kind, body } => {
                let text = match kind {
                    AtomicKind::Add => "atomic add",
                    AtomicKind::Max => "atomic max",
                    AtomicKind::Min => "atomic min",
                };
                self.nested(stmt, depth, text, body);
            }
            StmtKind::Break => self.line(stmt, depth, "break"),
            StmtKind::Continue => self.line(stmt, depth, "continue"),
            StmtKind::Havoc(views) => {
                let views: Vec<String> = views.iter().map(|view| self.view(view)).collect();
                self.line(
                    stmt,
                    depth,
                    &format!("unknown contents: {}", views.join(", ")),
                );
            }
            StmtKind::Opaque => self.line(stmt, depth, "unknown code"),
        }
    }

    fn nested(&mut self, stmt: &'a Stmt, depth: usize, text: &str, body: &'a [Stmt]) {
        self.line(stmt, depth, text);
        self.block(body, depth + 1);
    }

    fn variable(&self, id: VariableId) -> String {
        let name = &self.program.variable(id).name;
        if name.is_empty() {
            format!("%{}", id.0)
        } else {
            name.to_string()
        }
    }

    fn instr(&self, instr: &Instr) -> String {
        let shown: Vec<String> = instr
            .row()
            .params()
            .zip(&instr.args)
            .filter(|(_, arg)| arg.source != ArgSource::Default && arg.value != ArgValue::None)
            .map(|(param, arg)| format!("{}={}", param.name, self.arg(arg)))
            .collect();
        format!("{} {}", self.program.name_of(instr.opcode), shown.join(" "))
    }

    fn arg(&self, arg: &Arg) -> String {
        match &arg.value {
            ArgValue::None => "None".into(),
            ArgValue::View(view) => self.view(view),
            ArgValue::Scalar(id) => self.scalar(*id),
            ArgValue::Bool(flag) => flag.to_string(),
            ArgValue::Round(mode) => mode.to_string(),
            ArgValue::Compare(mode) => mode.to_string(),
            ArgValue::Select(mode) => mode.to_string(),
            ArgValue::Pipe(pipe) => pipe.to_string(),
            ArgValue::Event(id) => self.program.event(*id).name.to_string(),
            ArgValue::Mutex(id) => self.program.mutex(*id).name.to_string(),
            ArgValue::Variable(id) => self.variable(*id),
            ArgValue::Unknown => "?".into(),
        }
    }

    fn view(&self, view: &View) -> String {
        match view {
            View::Local(view) => self.local(view),
            View::Global(view) => self.global(view),
        }
    }

    fn local(&self, view: &LocalView) -> String {
        let buffer = self.program.buffer(view.buffer);
        let mut text = buffer.label().to_owned();
        if buffer.slots > 1 {
            let _ = write!(text, "[{}]", self.scalar(view.slot));
        }
        if view.dtype != buffer.dtype {
            let _ = write!(text, ".{}", view.dtype);
        }
        if view.sliced {
            let [rows, columns] =
                [0, 1].map(|axis| self.window(view.offset[axis], view.span[axis]));
            let _ = write!(text, "[{rows}, {columns}]");
        }
        if view.transposed {
            text.push_str(".T");
        }
        text
    }

    fn global(&self, view: &GlobalView) -> String {
        let axes: Vec<String> = view
            .axes
            .iter()
            .map(|axis| match axis.is_slice {
                true => self.window(axis.start, axis.span),
                false => self.scalar(axis.start),
            })
            .collect();
        let transposed = if view.transposed { ".T" } else { "" };
        format!(
            "{}[{}]{transposed}",
            self.program.global(view.global).name,
            axes.join(", ")
        )
    }

    /// Formats a window, as `start +: extent`.
    fn window(&self, start: ScalarId, span: ScalarId) -> String {
        format!("{} +: {}", self.scalar(start), self.scalar(span))
    }
}
