//! What the machine saw, as findings.

use super::{scalars, statement};
use crate::finding::{Confidence, Finding, Label, Severity, Witness};
use crate::ir::{BufferId, GlobalId, Instr, Program, Stmt, StmtKind, View};
use crate::machine::{BoundLaunch, FindingKind, Illegal, Outcome, SanitizerFinding};
use crate::text::SourceText;

/// Longest source text that stands for a view.
const LONGEST_TEXT: usize = 40;

/// The findings of a run, in the order of statements.
pub fn findings(
    source: &SourceText,
    program: &Program,
    bound: &BoundLaunch,
    outcome: &Outcome,
) -> Vec<Finding> {
    let teller = Teller {
        source,
        program,
        bound,
    };
    let illegal = outcome
        .illegal
        .iter()
        .map(|illegal| teller.illegal(illegal));
    let seen = outcome.findings.iter().map(|seen| teller.finding(seen));
    let mut findings: Vec<Finding> = illegal.chain(seen).collect();
    findings.sort_by_key(|finding| finding.span.start);
    findings
}

/// Code and name of an instruction that does not exist.
const ILLEGAL: (&str, &str) = ("RUN011", "illegal-instruction");

/// Code and name of an observation.
fn identity(kind: FindingKind) -> (&'static str, &'static str) {
    match kind {
        FindingKind::UndefinedStore(_) => ("RUN001", "undefined-store"),
        FindingKind::UndefinedReduction => ("RUN002", "undefined-reduction"),
        FindingKind::UndefinedScalar => ("RUN003", "undefined-scalar"),
        FindingKind::UndefinedIndex => ("RUN004", "undefined-index"),
        FindingKind::UndefinedOperand => ("RUN005", "undefined-operand"),
        FindingKind::Overrun { .. } => ("RUN006", "overrun"),
        FindingKind::OutsideMemory(_) => ("RUN007", "outside-memory"),
        FindingKind::GlobalBounds { .. } => ("RUN008", "global-bounds"),
        FindingKind::RepeatedSet(_) => ("RUN009", "repeated-set"),
        FindingKind::FlagOverflow(_) => ("RUN010", "flag-overflow"),
    }
}

struct Teller<'a> {
    source: &'a SourceText,
    program: &'a Program,
    bound: &'a BoundLaunch,
}

impl Teller<'_> {
    fn illegal(&self, illegal: &Illegal) -> Finding {
        let stmt = statement(self.program, illegal.stmt);
        let reason = &illegal.reason;
        let message = format!("the device has no such instruction, it was left out: {reason}");
        self.made(ILLEGAL, stmt, message)
    }

    fn finding(&self, seen: &SanitizerFinding) -> Finding {
        let stmt = statement(self.program, seen.stmt);
        let operand = stmt.and_then(|stmt| Operand::of(stmt, seen.operand?));
        let message = self.message(seen.kind, stmt, operand.as_ref());
        let mut finding = self.made(identity(seen.kind), stmt, message);
        finding
            .labels
            .extend(self.declarations(seen.kind, operand.as_ref()));
        finding.witness = Some(self.witness(seen, operand.as_ref()));
        finding
    }

    fn made(
        &self,
        (code, name): (&'static str, &'static str),
        stmt: Option<&Stmt>,
        message: String,
    ) -> Finding {
        let calls = stmt.map_or(Vec::new(), |stmt| self.program.call_chain(stmt.origin));
        let called = |span| Label {
            span,
            message: "called from here".to_owned(),
        };
        Finding {
            code,
            name,
            severity: Severity::Error,
            confidence: Confidence::Replayed,
            message,
            kernel: Some(self.program.name.clone()),
            span: stmt.map_or(self.program.name_span, |stmt| stmt.span),
            labels: calls.into_iter().map(called).collect(),
            help: None,
            fix: None,
            witness: None,
        }
    }

    fn message(&self, kind: FindingKind, stmt: Option<&Stmt>, operand: Option<&Operand>) -> String {
        let name = instruction(stmt);
        let what = operand.map_or("an operand".to_owned(), |operand| self.described(operand));
        match kind {
            FindingKind::UndefinedStore(global) => {
                let global = self.global(global);
                format!("{name} stores elements of {what} to {global} that were never written")
            }
            FindingKind::UndefinedReduction => {
                format!("{name} reduces elements of {what} that were never written with others")
            }
            FindingKind::UndefinedScalar => {
                format!("{name} reads an element of {what} that was never written")
            }
            FindingKind::UndefinedIndex => {
                format!("{name} takes an index from an element of {what} that was never written")
            }
            FindingKind::UndefinedOperand => {
                format!("{name} reads {what}, and nothing has written it")
            }
            FindingKind::Overrun {
                neighbour,
                bytes,
                write,
                ..
            } => {
                let verb = if write { "writes" } else { "reads" };
                let into = match neighbour {
                    Some(id) => format!(", in {}", self.buffer(id)),
                    None => String::new(),
                };
                format!("{name} {verb} {bytes} bytes outside of {what}{into}")
            }
            FindingKind::OutsideMemory(buffer) => {
                let position = self.program.buffer(buffer).position;
                format!("{name} reaches past the end of {position} through {what}, it was left out")
            }
            FindingKind::GlobalBounds {
                global,
                axis,
                write,
            } => self.bounds_message(name, global, axis, write),
            FindingKind::RepeatedSet(event) => {
                let event = &self.program.event(event).name;
                format!("{name} sets the event `{event}` while it is still set")
            }
            FindingKind::FlagOverflow(id) => {
                format!("{name} counts flag {id} beyond what the hardware holds")
            }
        }
    }

    fn bounds_message(
        &self,
        name: &str,
        global: GlobalId,
        axis: Option<usize>,
        write: bool,
    ) -> String {
        let verb = if write { "writes" } else { "reads" };
        let shape = &self.bound.globals[global.index()].shape;
        let global = self.global(global);
        match axis.and_then(|axis| Some((axis, shape.get(axis)?))) {
            Some((axis, extent)) => {
                format!("{name} {verb} outside of {global}: axis {axis} has {extent} elements")
            }
            None => format!("{name} {verb} outside of {global} {shape:?}"),
        }
    }

    /// Where the tensors that take part are declared.
    fn declarations(&self, kind: FindingKind, operand: Option<&Operand>) -> Vec<Label> {
        let own = operand.and_then(|operand| Some(operand.view.local()?.buffer));
        let other = match kind {
            FindingKind::Overrun { neighbour, .. } => neighbour,
            _ => None,
        };
        let declared = |id: BufferId| Label {
            span: self.program.buffer(id).span,
            message: format!("{} is allocated here", self.buffer(id)),
        };
        let other = other.filter(|_| own != other);
        own.into_iter().chain(other).map(declared).collect()
    }

    fn witness(&self, seen: &SanitizerFinding, operand: Option<&Operand>) -> Witness {
        let times = match seen.count {
            1 => "once".to_owned(),
            count => format!("{count} times"),
        };
        let element = match (seen.element, operand) {
            (Some(element), Some(_)) => format!("element {element}, "),
            _ => String::new(),
        };
        Witness {
            launch: scalars(self.program, self.bound),
            core: seen.lane.core,
            lane: seen.lane.kind.name().to_owned(),
            iteration: seen
                .iterations
                .iter()
                .map(|&number| number as u64)
                .collect(),
            detail: format!("{element}seen {times}"),
        }
    }

    /// `` `acc[0]` (its src1)``.
    fn described(&self, operand: &Operand) -> String {
        let text = view_text(self.source, self.program, operand.view);
        format!("`{text}` (its {})", operand.parameter)
    }

    fn buffer(&self, id: BufferId) -> String {
        format!("`{}`", self.program.buffer(id).label())
    }

    fn global(&self, id: GlobalId) -> String {
        format!("`{}`", self.program.global(id).name)
    }
}

/// An operand of an instruction.
struct Operand<'a> {
    parameter: &'static str,
    view: &'a View,
}

impl<'a> Operand<'a> {
    fn of(stmt: &'a Stmt, index: usize) -> Option<Operand<'a>> {
        let instr = instr_of(stmt)?;
        Some(Operand {
            parameter: instr.row().param(index)?.name,
            view: instr.view(index)?,
        })
    }
}

fn instr_of(stmt: &Stmt) -> Option<&Instr> {
    match &stmt.kind {
        StmtKind::Instr(instr) => Some(instr),
        _ => None,
    }
}

fn instruction(stmt: Option<&Stmt>) -> &'static str {
    let instr = stmt.and_then(instr_of);
    instr.map_or("the kernel", |instr| instr.row().name)
}

/// A view as its author wrote it; the name of its tensor where that is long.
pub fn view_text<'a>(source: &'a SourceText, program: &'a Program, view: &View) -> &'a str {
    let text = source.slice(view.site());
    match view {
        _ if !text.is_empty() && text.len() <= LONGEST_TEXT && !text.contains('\n') => text,
        View::Local(view) => program.buffer(view.buffer).label(),
        View::Global(view) => &program.global(view.global).name,
    }
}
