//! Conditions on which a run stops.

use std::ops::Range;

use super::expression::Expression;
use a2lint_ir::{GlobalId, Program, StmtId};
use a2lint_isa::Position;
use a2lint_machine::{Access, FindingKind, Inspection, LaneId, MemoryId, Observer, Site};
use a2lint_replay::nonfinite::Finder;

/// Everything that stops a run.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    /// Breakpoints at statements.
    pub breakpoints: Vec<Breakpoint>,
    /// Data breakpoints.
    pub data: Vec<DataBreakpoint>,
    /// Kinds of faults.
    pub exceptions: Vec<Exception>,
}

/// Stops a run before one of its statements.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    /// The number of the breakpoint.
    pub id: u32,
    /// The statements, such as those of a line.
    pub stmts: Vec<StmtId>,
    /// The executions that count as hits.
    pub filter: Filter,
    /// A condition for an execution to count.
    pub condition: Option<Expression>,
    /// The hits that stop the run.
    pub hits: Hits,
}

/// Selects executions of a statement. Parts that are not given match everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The core.
    pub core: Option<u32>,
    /// Name of the lane: `cube`, `vec0`, `vec1`.
    pub lane: Option<String>,
    /// Iteration numbers of the loops around the statement, outermost first; `None` matches all.
    pub iterations: Vec<Option<i64>>,
}

impl Filter {
    /// Parses `core 0 vec1 iteration 0, 3`, each part of which is optional, and returns the rest of the text. An
    /// `if` separates the rest where it would be ambiguous.
    pub fn read(text: &str) -> (Filter, &str) {
        let mut filter = Filter::default();
        let mut rest = text.trim();
        loop {
            let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let after = after.trim_start();
            match word {
                "core" if filter.core.is_none() => {
                    let (number, more) = split_number(after);
                    let Ok(core) = number.parse() else { break };
                    filter.core = Some(core);
                    rest = more;
                }
                "cube" | "vec0" | "vec1" if filter.lane.is_none() => {
                    filter.lane = Some(word.to_owned());
                    rest = after;
                }
                "iteration" if filter.iterations.is_empty() => {
                    let Some((iterations, more)) = read_iterations(after) else {
                        break;
                    };
                    filter.iterations = iterations;
                    rest = more;
                }
                "if" => return (filter, after),
                _ => break,
            }
        }
        (filter, rest)
    }

    /// Returns whether an execution is selected.
    pub fn takes(&self, lane: LaneId, iterations: &[i64]) -> bool {
        let mut pairs = self.iterations.iter().enumerate();
        self.core.is_none_or(|core| core == lane.core)
            && self
                .lane
                .as_deref()
                .is_none_or(|name| name == lane.kind.name())
            && pairs
                .all(|(at, wanted)| wanted.is_none_or(|wanted| iterations.get(at) == Some(&wanted)))
    }
}

/// Splits the digits at the start of a text from the rest.
fn split_number(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    (number, rest.trim_start())
}

/// Parses iteration numbers: `0, *, 3`, where a star matches all.
fn read_iterations(text: &str) -> Option<(Vec<Option<i64>>, &str)> {
    let (mut iterations, mut rest) = (Vec::new(), text);
    loop {
        rest = match rest.strip_prefix('*') {
            Some(after) => {
                iterations.push(None);
                after.trim_start()
            }
            None => {
                let (number, after) = split_number(rest);
                iterations.push(Some(number.parse().ok()?));
                after
            }
        };
        match rest.strip_prefix(',') {
            Some(after) => rest = after.trim_start(),
            None => return Some((iterations, rest)),
        }
    }
}

/// Selects hits of a breakpoint, counted from 1 since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hits {
    /// All hits.
    #[default]
    All,
    /// One hit.
    Only(u64),
    /// This hit and all later ones.
    From(u64),
    /// Every n-th hit.
    Every(u64),
}

impl Hits {
    /// Parses `7`, `== 7`, `>= 7`, `> 7` or `% 7`; `None` for any other text.
    pub fn read(text: &str) -> Option<Hits> {
        let text = text.trim();
        let number = |sign: &str| text.strip_prefix(sign)?.trim().parse::<u64>().ok();
        if let Some(first) = number(">=") {
            return Some(Hits::From(first));
        }
        if let Some(before) = number(">") {
            return Some(Hits::From(before.saturating_add(1)));
        }
        if let Some(step) = number("%") {
            return Some(Hits::Every(step));
        }
        number("==")
            .or_else(|| number("="))
            .or_else(|| number(""))
            .map(Hits::Only)
    }

    /// Returns whether the hit with this number is selected.
    pub fn takes(self, number: u64) -> bool {
        match self {
            Hits::All => true,
            Hits::Only(wanted) => number == wanted,
            Hits::From(first) => number >= first,
            Hits::Every(step) => step > 0 && number.is_multiple_of(step),
        }
    }
}

/// Stops a run after a statement that changes bytes.
#[derive(Clone, Debug)]
pub struct DataBreakpoint {
    /// The number of the breakpoint.
    pub id: u32,
    /// The memory.
    pub place: Place,
    /// The bytes.
    pub bytes: Range<usize>,
    /// The change that stops the run.
    pub change: Change,
}

/// A change of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// One of them is written.
    Written,
    /// One of them is written, and one of them is undefined afterwards.
    Undefined,
}

/// A memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A global tensor.
    Global(GlobalId),
    /// An on-chip memory, as a lane sees it.
    Local(LaneId, Position),
}

impl Place {
    /// Returns the memory that a lane accesses.
    pub fn of(lane: LaneId, memory: MemoryId) -> Place {
        match memory {
            MemoryId::Global(id) => Place::Global(id),
            MemoryId::Local(position) => Place::Local(lane, position),
        }
    }

    /// Returns whether two memories are the same. Lanes of a core share all memories but UB.
    pub fn is(self, other: Place) -> bool {
        match (self, other) {
            (Place::Global(one), Place::Global(other)) => one == other,
            (Place::Local(one, position), Place::Local(other, at)) => {
                position == at
                    && one.core == other.core
                    && (position != Position::Ub || one.kind == other.kind)
            }
            _ => false,
        }
    }

    /// Returns the memory as its lane names it.
    pub fn memory(self) -> MemoryId {
        match self {
            Place::Global(id) => MemoryId::Global(id),
            Place::Local(_, position) => MemoryId::Local(position),
        }
    }
}

a2lint_isa::named! {
    /// Kinds of faults that can stop a run.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Exception {
        /// A use of undefined data.
        Undefined = "undefined",
        /// An access outside of its tensor or memory.
        Bounds = "bounds",
        /// An access that is not ordered after an earlier one to the same bytes.
        Race = "race",
        /// An instruction that computes NaN or an infinity from finite operands.
        NonFinite = "nan",
        /// Any other finding of the sanitizer.
        Others = "others",
    }
    /// Returns its name for users.
    fn name
}

impl Exception {
    /// Returns its heading.
    pub fn label(self) -> &'static str {
        match self {
            Exception::Undefined => "Undefined data is used",
            Exception::Bounds => "Out of bounds",
            Exception::Race => "Races",
            Exception::NonFinite => "NaN and infinities",
            Exception::Others => "Anything else that the machine observes",
        }
    }

    /// Returns its description, a sentence.
    pub fn description(self) -> &'static str {
        match self {
            Exception::Undefined => {
                "An undefined element is reduced, stored, or used as a scalar or an index"
            }
            Exception::Bounds => "An access leaves its tensor or its memory",
            Exception::Race => "Before an access that nothing orders after an earlier one",
            Exception::NonFinite => "An instruction makes NaN or an infinity of finite operands",
            Exception::Others => {
                "Lanes that overwrite each other, integers that wrap, events that are set twice, …"
            }
        }
    }

    fn of(kind: &FindingKind) -> Exception {
        match kind {
            kind if kind.is_undefined() => Exception::Undefined,
            FindingKind::Overrun { .. }
            | FindingKind::OutsideMemory(_)
            | FindingKind::GlobalBounds { .. } => Exception::Bounds,
            _ => Exception::Others,
        }
    }
}

/// An event of a step that may stop the run.
#[derive(Debug)]
pub(super) enum Shown {
    /// A finding of the sanitizer.
    Observed { stmt: StmtId, kind: FindingKind },
    /// A result that is not finite although every operand is.
    NonFinite { stmt: StmtId, value: f64 },
    /// An access to watched bytes, with the index of the watch.
    Touched { number: usize, site: Touching },
}

/// An access to watched bytes.
#[derive(Clone, Debug)]
pub(super) struct Touching {
    pub stmt: StmtId,
    pub lane: LaneId,
    pub iterations: Vec<i64>,
}

/// Watched bytes.
#[derive(Clone, Debug)]
pub(super) struct Awaited {
    pub place: Place,
    pub bytes: Range<usize>,
    pub write: bool,
}

/// Observes steps for events that stop the run.
#[derive(Default)]
pub(super) struct Watcher<'p> {
    pub exceptions: Vec<Exception>,
    pub awaited: Vec<Awaited>,
    /// Examines every computed value, if requested.
    pub nonfinite: Option<Finder<'p>>,
    /// Events since they were last taken.
    pub shown: Vec<Shown>,
}

impl<'p> Watcher<'p> {
    /// Creates the observer for everything that stops a run.
    pub fn of(stops: &Stops, program: &'p Program) -> Watcher<'p> {
        let awaited = stops.data.iter().map(|data| Awaited {
            place: data.place,
            bytes: data.bytes.clone(),
            write: true,
        });
        let looks_at_values = stops.exceptions.contains(&Exception::NonFinite);
        Watcher {
            exceptions: stops.exceptions.clone(),
            awaited: awaited.collect(),
            nonfinite: looks_at_values.then(|| Finder::new(program)),
            shown: Vec::new(),
        }
    }
}

impl Observer for Watcher<'_> {
    fn watches(&self, stmt: StmtId) -> bool {
        self.nonfinite.as_ref().is_some_and(|it| it.watches(stmt))
    }

    fn before(&mut self, site: &Site, execution: u64, inspection: &mut Inspection) {
        if let Some(finder) = &mut self.nonfinite {
            finder.before(site, execution, inspection);
        }
    }

    fn after(
        &mut self,
        site: &Site,
        _: u64,
        inspection: &mut Inspection,
    ) -> std::ops::ControlFlow<()> {
        let finder = self.nonfinite.as_ref();
        if let Some((_, value)) = finder.and_then(|it| it.result(site, inspection)) {
            let stmt = site.stmt;
            self.shown.push(Shown::NonFinite { stmt, value });
        }
        std::ops::ControlFlow::Continue(())
    }

    fn wants_accesses(&self) -> bool {
        !self.awaited.is_empty()
    }

    fn access(&mut self, site: &Site, access: &Access) {
        let place = Place::of(site.lane, access.memory);
        for (number, awaited) in self.awaited.iter().enumerate() {
            if awaited.write != access.write || !place.is(awaited.place) {
                continue;
            }
            let (first, last) = (awaited.bytes.start as i64, awaited.bytes.end as i64);
            let mut runs = access.rows.iter().flat_map(|rows| rows.runs());
            if runs.any(|(start, length)| start < last && first < start + length) {
                let site = Touching {
                    stmt: site.stmt,
                    lane: site.lane,
                    iterations: site.iterations.to_vec(),
                };
                self.shown.push(Shown::Touched { number, site });
            }
        }
    }

    fn observed(&mut self, site: &Site, kind: &FindingKind, _operand: Option<usize>) {
        if self.exceptions.contains(&Exception::of(kind)) {
            let (stmt, kind) = (site.stmt, *kind);
            self.shown.push(Shown::Observed { stmt, kind });
        }
    }
}

/// Returns whether any of the bytes is undefined.
pub(super) fn has_undefined(
    inspection: &mut Inspection,
    place: Place,
    bytes: Range<usize>,
) -> bool {
    let found = inspection.bytes(place.memory(), bytes);
    found.is_some_and(|(_, defined)| defined.contains(&false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_read_in_words() {
        let read = |text: &'static str| {
            let (filter, rest) = Filter::read(text);
            (filter.core, filter.lane, filter.iterations, rest)
        };
        let vec1 = Some("vec1".to_owned());
        assert_eq!(read(""), (None, None, vec![], ""));
        assert_eq!(
            read("core 3 vec1 iteration 0, *,12 if at > 2"),
            (
                Some(3),
                vec1.clone(),
                vec![Some(0), None, Some(12)],
                "at > 2"
            )
        );
        assert_eq!(read("vec1 x == 2"), (None, vec1, vec![], "x == 2"));
        // Variables may be called that.
        assert_eq!(read("core == 1"), (None, None, vec![], "core == 1"));
        assert_eq!(read("iteration < 3"), (None, None, vec![], "iteration < 3"));
    }

    #[test]
    fn counts_are_read() {
        let texts = ["7", "== 7", ">= 7", "> 7", "% 7", "x", ""];
        let expected = [
            Some(Hits::Only(7)),
            Some(Hits::Only(7)),
            Some(Hits::From(7)),
            Some(Hits::From(8)),
            Some(Hits::Every(7)),
            None,
            None,
        ];
        assert_eq!(texts.map(Hits::read), expected);
    }
}
