//! Fidelity of the model of a kernel: which instructions are exact, which are approximate and by how much, what is not
//! modelled, and whether the result may depend on an order that the program does not define.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use a2lint_ir::finding::Finding;
use a2lint_ir::verdict::Property;
use a2lint_ir::{AtomicKind, Instr, Program, Stmt, StmtKind};
use a2lint_isa::{DST, DType, Fidelity, SRC};
use a2lint_machine::Outcome;
use a2lint_rules::RULES;
use a2lint_source::spelling::count;

/// Maximum number of approximate instructions that are listed.
const NAMED: usize = 6;
/// Maximum number of unread places that are listed.
const PLACES: usize = 2;

/// The fidelity of the model of a kernel.
pub struct Report {
    /// Number of instructions of the kernel.
    all: usize,
    /// Instructions with approximate results: name, difference, and number of occurrences.
    approximate: Vec<(String, &'static str, usize)>,
    /// Parts that are not modelled, each as a clause.
    not_modelled: Vec<String>,
    /// Reasons why the result may depend on an order that the program does not define, each as a clause.
    unordered: Vec<String>,
}

impl Report {
    /// Examines a kernel and, if given, the outcome of a run of it.
    pub fn of(program: &Program, outcome: Option<&Outcome>, findings: &[Finding]) -> Report {
        let instructions = program.instructions();
        let mut differences: BTreeMap<(String, &'static str), usize> = BTreeMap::new();
        for (_, instr) in &instructions {
            if let Fidelity::Approximate(how) = fidelity(instr) {
                *differences
                    .entry((program.call_name(instr).to_string(), how))
                    .or_default() += 1;
            }
        }
        let approximate = differences.into_iter();
        Report {
            all: instructions.len(),
            approximate: approximate
                .map(|((name, how), times)| (name, how, times))
                .collect(),
            not_modelled: not_modelled(program, outcome),
            unordered: unordered(program, findings),
        }
    }

    /// Returns the lines of the report, each a sentence. The first line says how many instructions are exact.
    pub fn lines(&self) -> Vec<String> {
        let apart: usize = self.approximate.iter().map(|(_, _, times)| times).sum();
        let mut lines = vec![match (self.all - apart, self.all) {
            (_, 0) => "no instructions".to_owned(),
            (exact, all) if exact == all => format!("exact: {}", count(all, "instruction")),
            (exact, all) => format!("exact: {exact} of {all} instructions"),
        }];
        for (name, how, times) in self.approximate.iter().take(NAMED) {
            let times = match times {
                1 => String::new(),
                times => format!(" ({times} times)"),
            };
            lines.push(format!("approximate: {name}{times}, {how}"));
        }
        if self.approximate.len() > NAMED {
            lines.push(format!(
                "approximate: {} more",
                self.approximate.len() - NAMED
            ));
        }
        lines.extend(
            self.not_modelled
                .iter()
                .map(|it| format!("not modelled: {it}")),
        );
        lines.extend(
            self.unordered
                .iter()
                .map(|it| format!("may depend on an order that nothing sets: {it}")),
        );
        lines
    }

    /// Returns the report as JSON.
    pub fn json(&self) -> Value {
        let approximate = self.approximate.iter();
        let approximate: Vec<Value> = approximate
            .map(|(name, how, times)| json!({ "name": name, "difference": how, "times": times }))
            .collect();
        json!({
            "instructions": self.all,
            "approximate": approximate,
            "not_modelled": self.not_modelled,
            "unordered": self.unordered,
        })
    }
}

/// Returns the fidelity of an instruction for the type of its destination, or of its source if it has no destination.
fn fidelity(instr: &Instr) -> Fidelity {
    let operand = instr.local(DST).or_else(|| instr.local(SRC));
    let dtype = operand.map_or(DType::Float, |view| view.dtype);
    instr.row().fidelity(dtype)
}

fn not_modelled(program: &Program, outcome: Option<&Outcome>) -> Vec<String> {
    let mut parts: Vec<String> = program
        .unknown
        .iter()
        .take(PLACES)
        .map(|it| it.what.clone())
        .collect();
    if program.unknown.len() > PLACES {
        let more = program.unknown.len() - PLACES;
        parts.push(format!("{more} more places that were not read"));
    }
    let of_run = outcome.and_then(Outcome::doubt);
    parts.extend(of_run.filter(|doubt| !parts.iter().any(|part| doubt.starts_with(part.as_str()))));
    parts
}

fn unordered(program: &Program, findings: &[Finding]) -> Vec<String> {
    let of_order = |finding: &&Finding| {
        let rule = RULES.iter().find(|rule| rule.name == finding.name);
        rule.is_some_and(|rule| rule.property == Some(Property::Order))
    };
    let races = findings.iter().filter(of_order).count();
    let mut parts = Vec::new();
    if races > 0 {
        parts.push(format!("{} about order", count(races, "finding")));
    }
    if adds_floats(&program.body, false) {
        parts.push(
            "floats are added to memory by whichever lane comes first, which rounds otherwise"
                .to_owned(),
        );
    }
    parts
}

/// Returns whether a list of statements contains an atomic add of floats to global memory.
fn adds_floats(block: &[Stmt], is_adding: bool) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Instr(instr) => {
            let mut written = instr
                .operands()
                .filter(|(_, operand, _)| operand.access.writes());
            let to_memory = written.any(|(_, _, view)| view.global().is_some());
            let is_float = instr.local(SRC).is_some_and(|view| view.dtype.is_float());
            is_adding && to_memory && is_float
        }
        StmtKind::Atomic { kind, body } => adds_floats(body, is_adding || *kind == AtomicKind::Add),
        kind => kind.blocks().any(|body| adds_floats(body, is_adding)),
    })
}
