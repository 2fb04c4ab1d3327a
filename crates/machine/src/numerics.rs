//! What rounding does to a run: exact values in double precision beside its floats.
//!
//! Every instruction that computes with floats is computed three times: as the device does, on the
//! same operands without rounding (what it should have come to), and on exact operands (what it would
//! come to had nothing been rounded before either). The first difference is the error that a statement
//! adds, the second one the error that it passes on. Integers, masks and indices are as in the run.

use super::access::Site;
use super::lane_id::LaneId;
use super::memory::Exactly;
use a2lint_ir::StmtId;
use a2lint_isa::DType;

/// Somebody who follows exact values, where that is asked for.
pub type Tracer<'n> = Option<&'n mut Numerics>;

/// What rounding has done, statement by statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Numerics {
    /// By number of the statement.
    statements: Vec<Rounding>,
    /// Of each statement, the first result that is not finite although it and its operands would be.
    lost: Vec<Lost>,
    /// The statement that is under way.
    stmt: StmtId,
    lane: LaneId,
    iterations: Vec<i64>,
    /// Lanes on their way through an instruction, kept to save allocations.
    pub(super) scratch: Scratch,
}

/// What rounding has done in one statement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rounding {
    /// Floats that it has computed.
    pub results: u64,
    /// The largest error that it has added to one of them, in units in the last place of its type.
    pub added: f64,
    /// The sum or difference that has made the relative error of its operands largest.
    pub cancellation: Option<Cancellation>,
    /// Results that are not finite although they would be.
    pub lost: u64,
    /// Whether it adds to sums of a type shorter than float.
    pub sums_short: bool,
}

/// A sum that is much smaller than its operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cancellation {
    /// Size of the larger operand.
    pub operand: f64,
    /// The result, exactly.
    pub result: f64,
    /// Relative error of the operands.
    pub before: f64,
    /// Relative error of the result, without what the statement added.
    pub after: f64,
}

/// A result that is not finite although it would be.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// The statement.
    pub stmt: StmtId,
    /// Who executed it.
    pub lane: LaneId,
    /// Iterations of the loops around it, outermost first.
    pub iterations: Vec<i64>,
    /// Which of the results of the instruction.
    pub element: usize,
    /// The type that it is rounded to.
    pub dtype: DType,
    /// What it is.
    pub value: f64,
    /// What it was before it was rounded.
    pub before: f64,
    /// What it would be, had nothing been rounded before either.
    pub exact: f64,
}

/// What the operands of a result were like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Before {
    /// Where most of their error comes from.
    pub blame: u16,
    /// The largest of their relative errors.
    pub error: f64,
    /// Size of the largest summand; 0 where nothing is added.
    pub summand: f64,
    /// Whether it is a sum of many numbers, or on its way to be one.
    pub accumulates: bool,
}

/// A result of a float instruction.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// As the run has it.
    pub real: f64,
    /// From the same operands, without rounding.
    pub ideal: f64,
    /// From exact operands.
    pub exact: f64,
}

/// Lanes of a source in double precision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// As the run has them.
    pub real: Vec<f64>,
    /// Without any rounding.
    pub exact: Vec<f64>,
    /// Where their errors come from.
    pub blames: Vec<u16>,
    /// Whether any exact value was noted: the others are as the run has them.
    pub differs: bool,
}

/// Sources and results of an instruction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scratch {
    /// The sources.
    pub sources: [Lanes; 3],
    /// Results from the operands of the run.
    pub ideal: Vec<f64>,
    /// Results from exact operands.
    pub exact: Vec<f64>,
    /// What the operands of each result were like.
    pub before: Vec<Before>,
}

/// Sums that are smaller than their operands by less than this are not worth mentioning.
const CANCELS: f64 = 16.0;

impl Numerics {
    /// Nothing seen yet of so many statements.
    pub fn new(statements: u32) -> Numerics {
        Numerics {
            statements: vec![Rounding::default(); statements as usize],
            lost: Vec::new(),
            stmt: StmtId(0),
            lane: LaneId {
                core: 0,
                kind: super::LaneKind::Cube,
            },
            iterations: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// What is seen from here on is about this statement.
    pub(super) fn begin(&mut self, site: &Site) {
        self.stmt = site.stmt;
        self.lane = site.lane;
        self.iterations.clear();
        self.iterations.extend_from_slice(site.iterations);
    }

    /// What rounding has done in a statement.
    pub fn of(&self, stmt: StmtId) -> Rounding {
        let seen = self.statements.get(stmt.index());
        seen.copied().unwrap_or_default()
    }

    /// The first result of a statement that is not finite although it and its operands would be; of any
    /// statement, where this one has none.
    pub fn lost(&self, stmt: Option<StmtId>) -> Option<&Lost> {
        let own = self.lost.iter().find(|lost| Some(lost.stmt) == stmt);
        own.or(self.lost.first())
    }

    /// The statement that a float's error is blamed on.
    pub fn blamed(blame: u16) -> Option<StmtId> {
        blame.checked_sub(1).map(|index| StmtId(index.into()))
    }

    /// Takes down a result, the `element`-th of its instruction; what is kept beside it.
    pub(super) fn judge(
        &mut self,
        dtype: DType,
        element: usize,
        judged: Judged,
        before: &Before,
    ) -> Exactly {
        let Judged { real, ideal, exact } = judged;
        let added = (real - ideal).abs();
        let passed_on = (ideal - exact).abs();
        let own = u16::try_from(self.stmt.index() + 1).unwrap_or(0);
        let seen = &mut self.statements[self.stmt.index()];
        seen.results += 1;
        seen.sums_short |= before.accumulates && dtype != DType::Float;
        if real == exact {
            return Exactly {
                value: exact,
                blame: 0,
            };
        }
        if !real.is_finite() && exact.is_finite() {
            seen.lost += 1;
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

/// A unit in the last place of a float type, at a value.
pub fn last_place(dtype: DType, value: f64) -> f64 {
    let (digits, least) = match dtype {
        DType::Half => (10, -24),
        DType::BFloat16 => (7, -133),
        _ => (23, -149),
    };
    /// Sign and fraction of a double are all but these.
    const EXPONENT: u64 = 0x7FF0_0000_0000_0000;
    let binade = f64::from_bits(value.to_bits() & EXPONENT);
    (binade * power_of_two(-digits)).max(power_of_two(least))
}

/// 2 to a power that a normal double holds.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// How much a number differs from the exact one, as a share of that; infinite only where the number is
/// not finite and should be.
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
