//! The estimated time of a statement on the device, and what dominates it.

use std::time::Instant;

use super::WIDTH;
use crate::requests::target::Place;
use crate::snapshot::Snapshot;
use crate::snapshot::timings;
use a2lint_costs::{Timed, Works};
use a2lint_ir::StmtId;
use a2lint_isa::{Pipe, bytes_text};
use a2lint_machine::cost::GLOBAL_ALIGNMENT;
use a2lint_report::{cut, number_text};

/// Maximum number of launch scalars that are named.
const MOST_NAMED: usize = 2;
/// Share of the busy time below which bank conflicts and contention are not mentioned.
const LEAST_SHARE: f64 = 0.1;

/// Describes the time of an instruction in at most two lines: its share of the critical path and of its pipe, and the
/// reason. Empty if no launch of the file has been timed by `until`.
pub fn lines(snapshot: &Snapshot, place: &Place, until: Instant) -> Vec<String> {
    let Some(timed) = timings::of(snapshot, place.program, until) else {
        return Vec::new();
    };
    let spent = Spent::of(place, &timed);
    let lines = [spent.share(place, &timed), spent.reason()];
    lines
        .into_iter()
        .flatten()
        .map(|line| cut(&line, WIDTH))
        .collect()
}

/// The time of all statements that one place of the source was traced into.
#[derive(Default)]
struct Spent {
    /// The pipe on which the statements spend the most time.
    pipe: Option<Pipe>,
    /// Number of executions on the lane with the highest cost.
    executions: u64,
    /// Cycles for which that pipe is busy with the statements.
    busy: i64,
    /// The busy cycles that moves of other lanes cause.
    shared: i64,
    /// Cycles for which the pipe waits before the statements.
    waiting: i64,
    /// Share of the critical path in percent.
    path: f64,
    works: Works,
    /// Whether all lanes load the same addresses at the same time.
    is_together: bool,
}

impl Spent {
    fn of(place: &Place, timed: &Timed) -> Spent {
        let estimate = &timed.estimate;
        let is_here = |id: StmtId| place.statements.iter().any(|(stmt, _)| stmt.id == id);
        let mut spent = Spent::default();
        let here = || estimate.statements.iter().filter(|cost| is_here(cost.stmt));
        spent.pipe = here()
            .max_by_key(|cost| cost.busy + cost.waiting)
            .map(|cost| cost.pipe);
        for cost in here().filter(|cost| Some(cost.pipe) == spent.pipe) {
            spent.executions += cost.executions;
            spent.busy += cost.busy;
            spent.shared += cost.shared;
            spent.waiting += cost.waiting;
        }
        let total: i64 = estimate.path.iter().map(|share| share.cycles).sum();
        let own = estimate.path.iter().filter(|share| is_here(share.stmt));
        let own: i64 = own.map(|share| share.cycles).sum();
        spent.path = 100.0 * own as f64 / total.max(1) as f64;
        for (stmt, _) in &place.statements {
            let works = spent
                .pipe
                .and_then(|pipe| timed.works.get(&(stmt.id, pipe)));
            if let Some(works) = works {
                spent.works.join(works);
            }
        }
        spent.is_together = estimate.shared_loads.iter().any(|&stmt| is_here(stmt));
        spent
    }

    /// Formats the first line: `time  12 % of the critical path (M=1024); V 1040 of 8650 cycles`.
    fn share(&self, place: &Place, timed: &Timed) -> Option<String> {
        let pipe = self.pipe?;
        let path = match self.path {
            path if path < 0.5 => "not on the critical path".to_owned(),
            path => format!("{path:.0} % of the critical path"),
        };
        let launch = launch(place, timed);
        let (busy, cycles) = (self.busy, timed.estimate.cycles);
        Some(format!(
            "time  {path}{launch}; {pipe} {busy} of {cycles} cycles"
        ))
    }

    /// Formats the second line: `      64 repeats of 2.0 cycles: operands meet in banks of UB`.
    fn reason(&self) -> Option<String> {
        let mut text = self.rate().unwrap_or_default();
        let reasons = self.reasons();
        if !text.is_empty() && !reasons.is_empty() {
            text += &format!(": {}", reasons.join("; "));
        }
        if self.waiting > self.busy {
            let waits = format!("waits {} cycles before it", self.waiting);
            text += if text.is_empty() { "" } else { "; " };
            text += &waits;
        }
        (!text.is_empty()).then(|| format!("      {text}"))
    }

    /// Describes one execution: `64 repeats of 2.0 cycles` or `16 KB, 16.8 bytes a cycle`.
    fn rate(&self) -> Option<String> {
        let works = &self.works;
        let count = works.count.max(1);
        match (works.repeats, works.bytes) {
            (repeats @ 1.., _) => {
                let rate = works.cycles / repeats as f64;
                let repeats = number(repeats as f64 / count as f64);
                Some(format!("{repeats} repeats of {rate:.1} cycles"))
            }
            (_, bytes @ 1..) => {
                let bytes = bytes / count as i64;
                let rate = (bytes as u64 * self.executions) as f64 / self.busy.max(1) as f64;
                let (bytes, rate) = (bytes_text(bytes), number(rate));
                Some(format!("{bytes}, {rate} bytes a cycle"))
            }
            _ => None,
        }
    }

    fn reasons(&self) -> Vec<String> {
        let works = &self.works;
        let matters = |part: f64, whole: f64| part >= LEAST_SHARE * whole;
        let mut reasons = Vec::new();
        if works.conflicts > 0.0 && matters(works.conflicts, works.cycles) {
            reasons.push("operands meet in banks of UB".to_owned());
        }
        if self.is_together {
            reasons.push("all lanes load the same addresses".to_owned());
        } else if self.shared > 0 && matters(self.shared as f64, self.busy as f64) {
            let share = 100.0 * self.shared as f64 / self.busy.max(1) as f64;
            reasons.push(format!("{share:.0} % of it for moves of other lanes"));
        }
        if works.penalty > 1.0 {
            let penalty = works.penalty;
            reasons.push(format!(
                "rows do not begin at {GLOBAL_ALIGNMENT} bytes ({penalty:.2} times)"
            ));
        }
        reasons
    }
}

/// Formats the scalars of the timed launch as ` (M=1024)`.
fn launch(place: &Place, timed: &Timed) -> String {
    let scalars = timed.launch.scalars(place.program).into_iter();
    let named = scalars.take(MOST_NAMED);
    let named = named.map(|(name, value)| format!("{name}={}", number_text(value)));
    let named: Vec<String> = named.collect();
    match named.is_empty() {
        true => String::new(),
        false => format!(" ({})", named.join(", ")),
    }
}

/// Formats a number below 100 with one decimal, unless it is whole, and other numbers with none.
fn number(value: f64) -> String {
    match value.fract() == 0.0 || value >= 100.0 {
        true => format!("{value:.0}"),
        false => format!("{value:.1}"),
    }
}
