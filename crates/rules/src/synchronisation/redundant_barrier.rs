use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_analysis::{PathState, follow};
use a2lint_ir::{Instr, Stmt, StmtId, StmtKind};
use a2lint_isa::{Class, Pipe, Unit};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a barrier that orders nothing new: on every path to it, its pipe has done nothing
    /// since the last barrier, or since the kernel began.
    ///
    /// ## Why is this bad?
    /// The barrier is harmless but useless: it makes readers look for a dependency that does not exist.
    ///
    /// ## Example
    /// ```python
    /// bar_all()
    /// bar_v()
    /// exp(ub, ub)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// bar_all()
    /// exp(ub, ub)
    /// ```
    ///
    /// ## Source
    /// Pipes of A2: a barrier makes a pipe wait for its own earlier work, `bar_all` for that of all pipes.
    "SYN018" "redundant-barrier" Warning, basis = AnyLaunch, evidence = Inferred, property = None, pedantic = true
}

/// Set of pipes, as bits, that may have work issued since their last barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Busy(u16);

impl PathState for Busy {
    fn join(&mut self, other: &Self) {
        self.0 |= other.0;
    }
}

impl Busy {
    const EVERYTHING: Busy = Busy(u16::MAX);

    fn of(pipe: Pipe) -> Busy {
        match pipe {
            Pipe::All => Busy::EVERYTHING,
            pipe => Busy(1 << pipe as u16),
        }
    }
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mut barriers: Vec<(&Stmt, &Instr)> = Vec::new();
    let mut needed: FxHashSet<StmtId> = FxHashSet::default();
    let mut seen: FxHashSet<StmtId> = FxHashSet::default();
    let end = follow(
        &facts.program.body,
        Busy::default(),
        &mut |stmt, state: &mut Busy| match &stmt.kind {
            StmtKind::Instr(instr) if instr.row().class == Class::Barrier => {
                let waits = Busy::of(instr.pipe().unwrap_or(Pipe::All));
                if state.0 & waits.0 != 0 {
                    needed.insert(stmt.id);
                }
                if seen.insert(stmt.id) {
                    barriers.push((stmt, instr));
                }
                state.0 &= !waits.0;
            }
            StmtKind::Instr(instr) => state.0 |= work(instr).0,
            StmtKind::Opaque | StmtKind::Havoc(_) => *state = Busy::EVERYTHING,
            _ => {}
        },
    );
    if end.is_none() {
        return;
    }
    // The barrier of a helper is needed if any of its calls needs it.
    let mut of_use: FxHashMap<Span, bool> = FxHashMap::default();
    for (stmt, _) in &barriers {
        *of_use.entry(stmt.span).or_default() |= needed.contains(&stmt.id);
    }
    for (stmt, instr) in barriers {
        if of_use[&stmt.span] {
            continue;
        }
        let idle = match instr.pipe() {
            Some(Pipe::All) | None => "nothing has been issued".to_owned(),
            Some(pipe) => format!("{pipe} has done nothing"),
        };
        let message = format!(
            "{} orders nothing: {idle} since the last barrier",
            call(facts, instr)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .help("leave it out");
    }
}

/// Returns the pipes that an instruction gives work to.
fn work(instr: &Instr) -> Busy {
    match (instr.row().unit, instr.pipe()) {
        (Unit::CubeMacro, _) => Busy(Busy::of(Pipe::Mte1).0 | Busy::of(Pipe::M).0),
        (_, Some(pipe)) => Busy::of(pipe),
        // A token may hold up any pipe, so that a barrier after it can be intended.
        (_, None) => Busy::EVERYTHING,
    }
}
