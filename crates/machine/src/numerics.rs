//! Rounding errors of a run: exact values in double precision beside its floats.
//!
//! Every instruction that computes with floats is computed three times: as the device does (*real*), on the
//! same operands without rounding (*ideal*), and on exact operands (*exact*). The difference of the first two
//! is the error that the statement adds, that of the last two is the error that it passes on. Integers, masks
//! and indices are as in the run.
//!
//! With a buffer that is widened, the third value is no exact one but that of another kernel: everything is rounded as
//! in the run, and what is written to this buffer is rounded to float.

use super::access::Site;
use super::lane_id::LaneId;
use super::memory::Exactly;
use super::setup::Following;
use a2lint_ir::{BufferId, Program, StmtId};
use a2lint_isa::DType;

/// The exact values of a run, if they are tracked.
pub type Tracer<'n> = Option<&'n mut Numerics>;

/// The rounding errors of a run, by statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Numerics {
    /// What the third value of a result is.
    kind: Kind,
    /// By the statement's number; empty unless errors are attributed.
    statements: Vec<Rounding>,
    /// For each statement, the first result that is not finite although it should be, given its operands.
    lost: Vec<Lost>,
    /// Where exact values part from the run, the first of each statement and kind.
    departures: Vec<Departure>,
    /// How near the operands of each statement come to where floats end.
    extremes: Vec<(StmtId, Extremes)>,
    /// The statement that is being executed.
    stmt: StmtId,
    lane: LaneId,
    iterations: Vec<i64>,
    /// Operands and results of the current instruction, kept to save allocations.
    pub(super) scratch: Scratch,
}

/// What the third value of a result is, and what is recorded about it.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// The exact value, without the errors of statements.
    Values,
    /// The exact value, with the errors of statements.
    Errors,
    /// A rounded value. For each statement, whether it writes to the buffer that is taken for one of floats.
    Widened(Vec<bool>),
}

/// The rounding errors of one statement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rounding {
    /// Number of floats that it has computed.
    pub results: u64,
    /// The largest error that it has added to a result, in units in the last place of its type.
    pub added: f64,
    /// The sum or difference with the largest relative error due to cancellation.
    pub cancellation: Option<Cancellation>,
    /// Number of results that are not finite although their exact values are.
    pub lost: u64,
    /// Whether it accumulates in a type shorter than float.
    pub sums_short: bool,
}

/// A sum that is much smaller than its operands, so that their errors weigh more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cancellation {
    /// Magnitude of the larger operand.
    pub operand: f64,
    /// The exact result.
    pub result: f64,
    /// Relative error of the operands.
    pub before: f64,
    /// Relative error of the result, without the statement's own rounding.
    pub after: f64,
}

/// A result that is not finite although its exact value is.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// The statement.
    pub stmt: StmtId,
    /// The lane that executed it.
    pub lane: LaneId,
    /// Iterations of the loops around it, outermost first.
    pub iterations: Vec<i64>,
    /// Index of the result among those of the instruction.
    pub element: usize,
    /// The type of the result.
    pub dtype: DType,
    /// The value of the result.
    pub value: f64,
    /// The value of the result before it was rounded to its type.
    pub before: f64,
    /// The exact value of the result.
    pub exact: f64,
}

/// How near the operands of a statement come to where floats end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    /// The type of its results.
    pub dtype: DType,
    /// The largest argument of `exp`.
    pub exponent: Option<f64>,
    /// The smallest magnitude of a divisor.
    pub divisor: Option<f64>,
    /// Number of sums of two numbers other than 0.
    pub sums: u64,
    /// Number of these sums that are one of their operands.
    pub absorbed: u64,
}

impl Extremes {
    /// Creates the record of a statement that has seen nothing.
    pub fn new(dtype: DType) -> Extremes {
        Extremes {
            dtype,
            exponent: None,
            divisor: None,
            sums: 0,
            absorbed: 0,
        }
    }

    /// Takes an argument of `exp` into account.
    pub(super) fn note_exponent(&mut self, value: f64) {
        if value.is_finite() {
            self.exponent = Some(self.exponent.map_or(value, |most| most.max(value)));
        }
    }

    /// Takes a divisor into account.
    pub(super) fn note_divisor(&mut self, value: f64) {
        let size = value.abs();
        if !size.is_nan() {
            self.divisor = Some(self.divisor.map_or(size, |least| least.min(size)));
        }
    }

    /// Takes the operands of a sum into account.
    pub(super) fn note_sum(&mut self, a: f64, b: f64) {
        if a != 0.0 && b != 0.0 && a.is_finite() && b.is_finite() {
            let sum = rounded(self.dtype, a + b);
            self.sums += 1;
            self.absorbed += u64::from(sum == a || sum == b);
        }
    }

    /// Takes another execution into account.
    pub fn join(&mut self, other: &Extremes) {
        other
            .exponent
            .into_iter()
            .for_each(|it| self.note_exponent(it));
        other
            .divisor
            .into_iter()
            .for_each(|it| self.note_divisor(it));
        self.sums += other.sums;
        self.absorbed += other.absorbed;
    }
}

/// A statement after which exact values are not those of exact arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The statement.
    pub stmt: StmtId,
    /// What happens there.
    pub kind: DepartureKind,
}

/// How exact values part from a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepartureKind {
    /// A comparison, an index or a cast to an integer gives another result on exact operands.
    Decision,
    /// Floats are computed with as integers or bits, for which there are no exact values.
    Bits,
}

/// Properties of the operands of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Before {
    /// The statement that most of the error of the operands comes from: its number from 1, or 0 for none.
    pub blame: u16,
    /// The largest relative error of an operand.
    pub error: f64,
    /// Magnitude of the largest summand; 0 if nothing is added.
    pub summand: f64,
    /// Whether the result is, or will be, a sum of many numbers.
    pub accumulates: bool,
}

/// The three values of a result.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// The value of the run.
    pub real: f64,
    /// The value from the operands of the run, without rounding.
    pub ideal: f64,
    /// The value from exact operands.
    pub exact: f64,
}

/// Lanes of an operand in double precision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// The values of the run.
    pub real: Vec<f64>,
    /// The exact values.
    pub exact: Vec<f64>,
    /// The statements that their errors are blamed on.
    pub blames: Vec<u16>,
    /// Whether any exact value is recorded; if not, all are as in the run.
    pub differs: bool,
}

/// Operands and results of an instruction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scratch {
    /// The operands.
    pub sources: [Lanes; 3],
    /// Results computed from the operands of the run without rounding.
    pub ideal: Vec<f64>,
    /// Results from exact operands.
    pub exact: Vec<f64>,
    /// Properties of the operands of each result.
    pub before: Vec<Before>,
}

/// Factor by which a sum has to be smaller than its largest summand to count as cancellation.
const CANCELS: f64 = 16.0;

impl Numerics {
    /// Creates the record of a run; `None` if nothing is followed.
    pub fn new(program: &Program, following: Following) -> Option<Numerics> {
        let kind = match following {
            Following::Nothing => return None,
            Following::Values => Kind::Values,
            Following::Errors => Kind::Errors,
            Following::Widened(buffer) => Kind::Widened(writers(program, buffer)),
        };
        let statements = match kind {
            Kind::Errors => program.stmt_count as usize,
            Kind::Values | Kind::Widened(_) => 0,
        };
        Some(Numerics {
            kind,
            statements: vec![Rounding::default(); statements],
            lost: Vec::new(),
            departures: Vec::new(),
            extremes: Vec::new(),
            stmt: StmtId(0),
            lane: LaneId {
                core: 0,
                kind: super::LaneKind::Cube,
            },
            iterations: Vec::new(),
            scratch: Scratch::default(),
        })
    }

    /// Returns whether the errors of statements are recorded, and results know whom to blame for theirs.
    pub fn attributes_errors(&self) -> bool {
        matches!(self.kind, Kind::Errors)
    }

    /// Adds the record of cores that run after these, in which no errors are attributed.
    pub fn absorb(&mut self, later: Numerics) {
        for departure in later.departures {
            self.add_departure(departure);
        }
    }

    /// Makes a statement the current one.
    pub(super) fn begin(&mut self, site: &Site) {
        self.stmt = site.stmt;
        self.lane = site.lane;
        self.iterations.clear();
        self.iterations.extend_from_slice(site.iterations);
    }

    /// Returns the rounding errors of a statement.
    pub fn of(&self, stmt: StmtId) -> Rounding {
        let seen = self.statements.get(stmt.index());
        seen.copied().unwrap_or_default()
    }

    /// Returns the first result of a statement that is not finite although its exact value is; if the
    /// statement has none, that of any statement.
    pub fn lost(&self, stmt: Option<StmtId>) -> Option<&Lost> {
        let own = self.lost.iter().find(|lost| Some(lost.stmt) == stmt);
        own.or(self.lost.first())
    }

    /// Returns where exact values part from the run.
    pub fn departures(&self) -> &[Departure] {
        &self.departures
    }

    /// Returns how near the operands of statements come to where floats end.
    pub fn extremes(&self) -> &[(StmtId, Extremes)] {
        &self.extremes
    }

    /// Takes what the current statement has seen into account.
    pub(super) fn note(&mut self, seen: &Extremes) {
        match self
            .extremes
            .iter_mut()
            .find(|(stmt, _)| *stmt == self.stmt)
        {
            Some((_, known)) => known.join(seen),
            None => self.extremes.push((self.stmt, *seen)),
        }
    }

    /// Records that exact values part from the run at the current statement.
    pub(super) fn depart(&mut self, kind: DepartureKind) {
        self.add_departure(Departure {
            stmt: self.stmt,
            kind,
        });
    }

    fn add_departure(&mut self, departure: Departure) {
        if !self.departures.contains(&departure) {
            self.departures.push(departure);
        }
    }

    /// Returns the statement that `blame` refers to.
    pub fn blamed(blame: u16) -> Option<StmtId> {
        blame.checked_sub(1).map(|index| StmtId(index.into()))
    }

    /// Records the `element`-th result of the current instruction; returns its exact value and whom to blame
    /// for its error.
    pub(super) fn judge(
        &mut self,
        dtype: DType,
        element: usize,
        judged: Judged,
        before: &Before,
    ) -> Exactly {
        let Judged { real, ideal, exact } = judged;
        if !self.attributes_errors() {
            return Exactly {
                value: self.third(dtype, exact),
                blame: 0,
            };
        }
        let added = (real - ideal).abs();
        let passed_on = (ideal - exact).abs();
        // Blame is kept in 16 bits: statements beyond that are blamed for nothing.
        let own = u16::try_from(self.stmt.index() + 1).unwrap_or(0);
        let seen = &mut self.statements[self.stmt.index()];
        seen.results += 1;
        seen.sums_short |= before.accumulates && dtype != DType::Float;
        // There is no error to blame, even if several have cancelled each other.
        if real == exact {
            return Exactly {
                value: exact,
                blame: 0,
            };
        }
        if !real.is_finite() && exact.is_finite() {
            seen.lost += 1;
            // With an infinite operand, the loss was counted where that operand was computed.
            if before.error.is_finite() {
                self.lose(dtype, element, judged);
            }
        } else if added > 0.0 {
            seen.added = seen.added.max(added / last_place(dtype, ideal));
        }
        if passed_on > added && before.summand > CANCELS * exact.abs() {
            let seen = &mut self.statements[self.stmt.index()];
            let after = passed_on / exact.abs();
            let most = seen.cancellation.map_or(0.0, |most| most.after);
            if after > most && after.is_finite() {
                seen.cancellation = Some(Cancellation {
                    operand: before.summand,
                    result: exact,
                    before: before.error,
                    after,
                });
            }
        }
        let is_own = before.blame == 0 || added >= passed_on;
        Exactly {
            value: exact,
            blame: if is_own { own } else { before.blame },
        }
    }

    /// Returns the third value of a result of the current statement: the exact one, or that of a wider buffer.
    pub(super) fn third(&self, dtype: DType, exact: f64) -> f64 {
        match &self.kind {
            Kind::Values | Kind::Errors => exact,
            Kind::Widened(writers) if writers[self.stmt.index()] => rounded(DType::Float, exact),
            Kind::Widened(_) => rounded(dtype, exact),
        }
    }

    /// As [`Numerics::third`], of many results.
    pub(super) fn all_third(&self, dtype: DType, exact: &mut [f64]) {
        if matches!(self.kind, Kind::Widened(_)) {
            exact.iter_mut().for_each(|it| *it = self.third(dtype, *it));
        }
    }

    #[cold]
    fn lose(&mut self, dtype: DType, element: usize, judged: Judged) {
        if self.lost.iter().any(|lost| lost.stmt == self.stmt) {
            return;
        }
        self.lost.push(Lost {
            stmt: self.stmt,
            lane: self.lane,
            iterations: self.iterations.clone(),
            element,
            dtype,
            value: judged.real,
            before: judged.ideal,
            exact: judged.exact,
        });
    }
}

/// Returns for each statement whether it writes to a buffer.
fn writers(program: &Program, buffer: BufferId) -> Vec<bool> {
    let mut writes = vec![false; program.stmt_count as usize];
    for (stmt, instr) in program.instructions() {
        writes[stmt.id.index()] = instr.writes(buffer);
    }
    writes
}

/// Returns a unit in the last place of a float type, at a value.
pub fn last_place(dtype: DType, value: f64) -> f64 {
    let (digits, least) = match dtype {
        DType::Half => (10, -24),
        DType::BFloat16 => (7, -133),
        _ => (23, -149),
    };
    /// All bits of a double but sign and fraction.
    const EXPONENT: u64 = 0x7FF0_0000_0000_0000;
    let binade = f64::from_bits(value.to_bits() & EXPONENT);
    (binade * power_of_two(-digits)).max(power_of_two(least))
}

/// Rounds a number to the nearest one of a float type.
pub fn rounded(dtype: DType, value: f64) -> f64 {
    match dtype {
        DType::Half => half::f16::from_f64(value).to_f64(),
        DType::BFloat16 => half::bf16::from_f64(value).to_f64(),
        _ => f64::from(value as f32),
    }
}

/// Returns 2 to a power that a normal double holds.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Returns the relative error of a number; infinite only if the number is not finite although the exact one
/// is.
pub fn relative(real: f64, exact: f64) -> f64 {
    match () {
        _ if real == exact || real.is_nan() && exact.is_nan() => 0.0,
        _ if !real.is_finite() && exact.is_finite() => f64::INFINITY,
        _ => ((real - exact).abs() / exact.abs()).min(f64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_places_are_those_of_the_type() {
        for (dtype, value, unit) in [
            (DType::Half, 1.0, 2.0_f64.powi(-10)),
            (DType::Half, -2047.0, 1.0),
            (DType::Half, 0.0, 2.0_f64.powi(-24)),
            (DType::BFloat16, 3.0, 2.0_f64.powi(-6)),
            (DType::Float, 1.5, f64::from(f32::EPSILON)),
        ] {
            assert_eq!(last_place(dtype, value), unit, "{dtype:?} {value}");
        }
    }
}
