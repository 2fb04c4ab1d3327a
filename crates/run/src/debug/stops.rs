//! Where a run stops.

use std::ops::Range;

use super::expression::Expression;
use a2lint_ir::{GlobalId, Program, StmtId};
use a2lint_isa::Position;
use a2lint_machine::{Access, FindingKind, Inspection, LaneId, MemoryId, Observer, Site};
use a2lint_replay::nonfinite::Finder;

/// Everything that stops a run.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    /// Statements.
    pub breakpoints: Vec<Breakpoint>,
    /// Bytes.
    pub data: Vec<DataBreakpoint>,
    /// What goes wrong.
    pub exceptions: Vec<Exception>,
}

/// A run stops before one of these statements.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    /// Its number.
    pub id: u32,
    /// The statements, such as those of a line.
    pub stmts: Vec<StmtId>,
    /// Which executions count.
    pub filter: Filter,
    /// What has to hold for them to count.
    pub condition: Option<Expression>,
    /// Which of those stop it.
    pub hits: Hits,
}

/// Which executions of a statement are meant; what is not given does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Those of one core.
    pub core: Option<u32>,
    /// Those of lanes of this name: `cube`, `vec0`, `vec1`.
    pub lane: Option<String>,
    /// Those in such iterations of the loops around the statement, outermost first.
    pub iterations: Vec<Option<i64>>,
}

impl Filter {
    /// Reads `core 0 vec1 iteration 0, 3`, of which any part may be missing; what follows, after an `if`
    /// where that is needed to tell them apart, is the rest.
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

    /// Whether an execution is meant.
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

/// The digits at the start of a text, and what follows.
fn split_number(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    (number, rest.trim_start())
}

/// `0, *, 3`: numbers of iterations, any where there is a star.
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

/// Which executions stop a run, counted from 1 since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hits {
    /// All.
    #[default]
    All,
    /// One.
    Only(u64),
    /// From one on.
    From(u64),
    /// Every so many.
    Every(u64),
}

impl Hits {
    /// Reads `7`, `== 7`, `>= 7`, `> 7` or `% 7`; `None` where it is none of them.
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

    /// Whether this execution does.
    pub fn takes(self, number: u64) -> bool {
        match self {
            Hits::All => true,
            Hits::Only(wanted) => number == wanted,
            Hits::From(first) => number >= first,
            Hits::Every(step) => step > 0 && number.is_multiple_of(step),
        }
    }
}

/// A run stops after a statement that changes bytes.
#[derive(Clone, Debug)]
pub struct DataBreakpoint {
    /// Its number.
    pub id: u32,
    /// The memory.
    pub place: Place,
    /// The bytes.
    pub bytes: Range<usize>,
    /// What has to happen to them.
    pub change: Change,
}

/// What happens to bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// One of them is written.
    Written,
    /// They are written, and one of them is undefined then.
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
    /// The memory that an access of a lane goes to.
    pub fn of(lane: LaneId, memory: MemoryId) -> Place {
        match memory {
            MemoryId::Global(id) => Place::Global(id),
            MemoryId::Local(position) => Place::Local(lane, position),
        }
    }

    /// Whether they are the same. Lanes of a core share all memories but UB.
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

    /// How the lane that looks at it names it.
    pub fn memory(self) -> MemoryId {
        match self {
            Place::Global(id) => MemoryId::Global(id),
            Place::Local(_, position) => MemoryId::Local(position),
        }
    }
}

/// What goes wrong in a run, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// Undefined data is used.
    Undefined,
    /// An access leaves its tensor or memory.
    Bounds,
    /// An access that nothing orders after an earlier one to the same bytes.
    Race,
    /// An instruction makes NaN or an infinity of finite operands.
    NonFinite,
    /// Anything else that the machine observes.
    Others,
}

impl Exception {
    /// All of them.
    pub const ALL: [Exception; 5] = [
        Exception::Undefined,
        Exception::Bounds,
        Exception::Race,
        Exception::NonFinite,
        Exception::Others,
    ];

    /// How people name it.
    pub fn name(self) -> &'static str {
        match self {
            Exception::Undefined => "undefined",
            Exception::Bounds => "bounds",
            Exception::Race => "race",
            Exception::NonFinite => "nan",
            Exception::Others => "others",
        }
    }

    /// What it is, as a heading.
    pub fn label(self) -> &'static str {
        match self {
            Exception::Undefined => "Undefined data is used",
            Exception::Bounds => "Out of bounds",
            Exception::Race => "Races",
            Exception::NonFinite => "NaN and infinities",
            Exception::Others => "Anything else that the machine observes",
        }
    }

    /// What it is, as a sentence.
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

/// What one step has shown.
#[derive(Debug)]
pub(super) enum Shown {
    /// An observation that stops the run.
    Observed { stmt: StmtId, kind: FindingKind },
    /// A result that is not finite although every operand is.
    NonFinite { stmt: StmtId, value: f64 },
    /// An access to bytes that somebody waits for, by the number of the question.
    Touched { number: usize, site: Touching },
}

/// Who accesses bytes.
#[derive(Clone, Debug)]
pub(super) struct Touching {
    pub stmt: StmtId,
    pub lane: LaneId,
    pub iterations: Vec<i64>,
}

/// Bytes that somebody waits for.
#[derive(Clone, Debug)]
pub(super) struct Awaited {
    pub place: Place,
    pub bytes: Range<usize>,
    pub write: bool,
}

/// Watches steps for what stops a run.
#[derive(Default)]
pub(super) struct Watcher<'p> {
    pub exceptions: Vec<Exception>,
    pub awaited: Vec<Awaited>,
    /// Looks at every value that is computed, where that is asked for.
    pub nonfinite: Option<Finder<'p>>,
    /// What the steps since it was last taken have shown.
    pub shown: Vec<Shown>,
}

impl<'p> Watcher<'p> {
    /// For everything that stops a run.
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

/// Whether a byte is undefined.
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
