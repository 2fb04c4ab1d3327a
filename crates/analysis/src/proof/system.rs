//! Linear inequalities over integers, and whether they contradict each other.
//!
//! Exact Fourier-Motzkin elimination. Every inequality is divided by the common factor of its coefficients
//! and its constant rounded down, which loses no integer solution. A system that takes too much work is not
//! decided, and counts as possible.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// An unknown integer, by number.
pub type Unknown = u32;

/// `constant + coefficient * unknown + …`, unknowns ascending, no coefficient 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Form {
    pub(super) constant: i64,
    pub(super) terms: SmallVec<[(Unknown, i64); 4]>,
}

/// Cases of which one holds; in each, forms that are not negative.
pub type Cases = Vec<Vec<Form>>;

/// Maximum number of inequalities that are kept.
// Eliminating an unknown can square their number.
const MOST: usize = 300;
/// Largest coefficient or constant; forms with larger ones are left out.
// Two of these can still be added without overflow.
const LARGEST: i64 = 1 << 60;

impl Form {
    /// Returns a constant.
    pub fn constant(constant: i64) -> Form {
        Form {
            constant,
            terms: SmallVec::new(),
        }
    }

    /// Returns an unknown by itself.
    pub fn unknown(unknown: Unknown) -> Form {
        Form {
            constant: 0,
            terms: SmallVec::from_slice(&[(unknown, 1)]),
        }
    }

    /// Returns `self + times * other`, or `None` if numbers get too large.
    pub fn plus(&self, other: &Form, times: i64) -> Option<Form> {
        self.combined(1, other, times)
    }

    /// Returns `own * self + times * other`, or `None` if numbers get too large.
    fn combined(&self, own: i64, other: &Form, times: i64) -> Option<Form> {
        let constant = self.constant.checked_mul(own)?;
        let constant = constant.checked_add(other.constant.checked_mul(times)?)?;
        let mut sum = Form::constant(constant);
        let (mut mine, mut theirs) = (&self.terms[..], &other.terms[..]);
        loop {
            let (unknown, coefficient) = match (mine, theirs) {
                ([a, rest @ ..], [b, others @ ..]) if a.0 == b.0 => {
                    (mine, theirs) = (rest, others);
                    let both = a.1.checked_mul(own)?;
                    (a.0, both.checked_add(b.1.checked_mul(times)?)?)
                }
                ([a, rest @ ..], [b, ..]) if a.0 < b.0 => {
                    mine = rest;
                    (a.0, a.1.checked_mul(own)?)
                }
                (_, [b, others @ ..]) => {
                    theirs = others;
                    (b.0, b.1.checked_mul(times)?)
                }
                ([a, rest @ ..], []) => {
                    mine = rest;
                    (a.0, a.1.checked_mul(own)?)
                }
                ([], []) => break,
            };
            if is_too_large(coefficient) {
                return None;
            }
            if coefficient != 0 {
                sum.terms.push((unknown, coefficient));
            }
        }
        (!is_too_large(sum.constant)).then_some(sum)
    }

    /// Returns `self + number`.
    pub fn plus_number(mut self, number: i64) -> Form {
        self.constant = self.constant.saturating_add(number);
        self
    }

    fn coefficient(&self, unknown: Unknown) -> i64 {
        let found = self.terms.iter().find(|term| term.0 == unknown);
        found.map_or(0, |term| term.1)
    }

    /// Returns the form with an unknown eliminated by a form that is zero, or `None` if it gets too large.
    fn replaced(self, zero: &Form, unknown: Unknown) -> Option<Form> {
        match self.coefficient(unknown) {
            0 => Some(self),
            by => {
                let sign = zero.coefficient(unknown);
                self.plus(zero, -by * sign).map(Form::tighten)
            }
        }
    }

    /// Divides by the common factor of the coefficients.
    fn tighten(mut self) -> Form {
        let common = self
            .terms
            .iter()
            .fold(0, |common, term| gcd(common, term.1));
        if common > 1 {
            self.constant = self.constant.div_euclid(common);
            self.terms.iter_mut().for_each(|term| term.1 /= common);
        }
        self
    }
}

fn is_too_large(number: i64) -> bool {
    number.unsigned_abs() > LARGEST.unsigned_abs()
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Systems that have been decided. Attempts under other preconditions ask nearly the same questions.
#[derive(Default)]
struct Decided {
    excluded: FxHashMap<Vec<Form>, bool>,
    /// Number of inequalities in all of them.
    rows: usize,
}

thread_local! {
    static DECIDED: RefCell<Decided> = RefCell::default();
}

impl Decided {
    /// Maximum number of inequalities that are kept, of about 100 bytes each.
    const MOST: usize = 100_000;

    fn exclude(&mut self, rows: &[Form]) -> bool {
        if let Some(&known) = self.excluded.get(rows) {
            return known;
        }
        if self.rows + rows.len() > Self::MOST {
            *self = Decided::default();
        }
        self.rows += rows.len();
        let is_excluded = exclude(rows.to_vec());
        self.excluded.insert(rows.to_vec(), is_excluded);
        is_excluded
    }
}

/// A conjunction of forms that are not negative.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Ordered by terms; of forms with the same terms, the one with the smallest constant.
    rows: Vec<Form>,
    /// Whether one of them is a contradiction.
    is_broken: bool,
}

impl System {
    /// Adds that a form is not negative.
    pub fn add(&mut self, form: Form) {
        let form = form.tighten();
        if form.terms.is_empty() {
            self.is_broken |= form.constant < 0;
            return;
        }
        let place = self.rows.binary_search_by(|row| row.terms.cmp(&form.terms));
        match place {
            Ok(at) => {
                let constant = &mut self.rows[at].constant;
                *constant = (*constant).min(form.constant);
            }
            Err(at) => self.rows.insert(at, form),
        }
    }

    /// Adds that a form is zero.
    pub fn add_zero(&mut self, form: Form) {
        if let Some(negated) = Form::default().plus(&form, -1) {
            self.add(negated);
        }
        self.add(form);
    }

    /// Eliminates unknowns that occur in no case, as long as that loses nothing and does not make the system
    /// larger.
    pub fn simplify(&mut self, splits: &mut [Cases]) {
        if self.is_broken {
            return;
        }
        let Some(mut rows) = without_equalities(std::mem::take(&mut self.rows), splits) else {
            self.is_broken = true;
            return;
        };
        let forms = splits.iter().flatten().flatten();
        let terms = forms.flat_map(|form| form.terms.iter());
        let kept: FxHashSet<Unknown> = terms.map(|term| term.0).collect();
        let needless = |&((inexact, more), unknown): &((usize, i64), Unknown)| {
            inexact == 0 && more <= 0 && !kept.contains(&unknown)
        };
        while rows.len() <= MOST
            && let Some((_, unknown)) = costs(&rows).filter(needless).min()
        {
            rows = match eliminated(rows, unknown) {
                Eliminated::Rows(rows) => rows,
                Eliminated::Impossible => {
                    self.is_broken = true;
                    return;
                }
                Eliminated::TooMany => {
                    unreachable!("there are no more than before, and those were few")
                }
            };
        }
        self.rows = rows;
    }

    /// Returns whether no integers satisfy the system. `false` may also mean that deciding it takes too much
    /// work.
    pub fn is_impossible(&self) -> bool {
        self.is_broken || DECIDED.with_borrow_mut(|decided| decided.exclude(&self.rows))
    }

    /// Returns whether the system implies that a form is not negative.
    pub fn implies(&self, form: Option<Form>) -> bool {
        let below = form.and_then(|form| Form::default().plus(&form, -1));
        below.is_some_and(|below| {
            let mut against = self.clone();
            against.add(below.plus_number(-1));
            against.is_impossible()
        })
    }
}

/// Returns whether no integers satisfy all of the inequalities.
fn exclude(rows: Vec<Form>) -> bool {
    let mut rows = match without_equalities(rows, &mut []) {
        Some(rows) => rows,
        None => return true,
    };
    while let Some((_, unknown)) = costs(&rows).min() {
        rows = match eliminated(rows, unknown) {
            Eliminated::Rows(rows) => rows,
            Eliminated::Impossible => return true,
            Eliminated::TooMany => return false,
        };
    }
    false
}

/// Replaces unknowns by what they equal, in the inequalities and in the cases; returns `None` if the
/// inequalities contradict each other.
fn without_equalities(mut rows: Vec<Form>, splits: &mut [Cases]) -> Option<Vec<Form>> {
    while let Some(equality) = equality(&rows) {
        let Equality::Of(form, unknown) = equality else {
            return None;
        };
        rows = replaced(rows, &form, unknown)?;
        for case in splits.iter_mut().flatten() {
            let forms = std::mem::take(case).into_iter();
            *case = forms
                .filter_map(|row| row.replaced(&form, unknown))
                .collect();
        }
    }
    Some(rows)
}

/// The inequalities that are left after the elimination of an unknown.
enum Eliminated {
    Rows(Vec<Form>),
    Impossible,
    TooMany,
}

fn eliminated(rows: Vec<Form>, unknown: Unknown) -> Eliminated {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    let mut next = Vec::with_capacity(rows.len());
    for row in rows {
        match row.coefficient(unknown) {
            0 => next.push(row),
            1.. => low.push(row),
            _ => high.push(row),
        }
    }
    if low.is_empty() || high.is_empty() {
        return Eliminated::Rows(next);
    }
    // Before the pairs are made; duplicates among them may bring the number below the limit again.
    if low.len() * high.len() + next.len() > 4 * MOST {
        return Eliminated::TooMany;
    }
    for (a, b) in low.iter().flat_map(|a| high.iter().map(move |b| (a, b))) {
        match combined(a, b, unknown) {
            Some(row) if row.terms.is_empty() && row.constant < 0 => {
                return Eliminated::Impossible;
            }
            Some(row) => next.push(row),
            None => {}
        }
    }
    let rows = smallest(next);
    match rows.len() > MOST {
        true => Eliminated::TooMany,
        false => Eliminated::Rows(rows),
    }
}

/// Two inequalities that leave a form one value, or none.
enum Equality {
    /// The form is zero; the unknown has the coefficient 1 or -1 in it.
    Of(Form, Unknown),
    Impossible,
}

/// Returns the shortest form that has to be zero, and by which an unknown can be replaced. The inequalities
/// have to be ordered by terms.
fn equality(rows: &[Form]) -> Option<Equality> {
    let mut found: Option<(&Form, Unknown)> = None;
    // One of the two has a positive first coefficient.
    for row in rows.iter().filter(|row| row.terms[0].1 > 0) {
        let negated = || row.terms.iter().map(|&(unknown, by)| (unknown, -by));
        let other = rows.binary_search_by(|other| other.terms.iter().copied().cmp(negated()));
        let Ok(other) = other else { continue };
        match row.constant + rows[other].constant {
            ..0 => return Some(Equality::Impossible),
            0 => {}
            1.. => continue,
        }
        let mut units = row.terms.iter().filter(|term| term.1.abs() == 1);
        let is_shorter = found.is_none_or(|(known, _)| row.terms.len() < known.terms.len());
        if let Some(&(unknown, _)) = units.next_back()
            && is_shorter
        {
            found = Some((row, unknown));
        }
    }
    found.map(|(form, unknown)| Equality::Of(form.clone(), unknown))
}

/// Replaces an unknown by means of a form that is zero; returns `None` if the inequalities contradict each
/// other. Forms that get too large are left out.
fn replaced(rows: Vec<Form>, zero: &Form, unknown: Unknown) -> Option<Vec<Form>> {
    let mut next = Vec::with_capacity(rows.len());
    for row in rows {
        match row.replaced(zero, unknown) {
            Some(row) if row.terms.is_empty() && row.constant < 0 => return None,
            Some(row) => next.push(row),
            None => {}
        }
    }
    Some(smallest(next))
}

/// Combines two inequalities such that an unknown, which is positive in one and negative in the other, is
/// eliminated.
fn combined(low: &Form, high: &Form, unknown: Unknown) -> Option<Form> {
    let (a, b) = (low.coefficient(unknown), -high.coefficient(unknown));
    let common = gcd(a, b);
    Some(low.combined(b / common, high, a / common)?.tighten())
}

/// Returns the cost of eliminating each unknown: the number of pairs that lose integer precision, then the
/// number of additional inequalities. A pair is exact if one of its coefficients is 1.
fn costs(rows: &[Form]) -> impl Iterator<Item = ((usize, i64), Unknown)> + use<> {
    #[derive(Clone, Default)]
    struct Uses {
        all: [usize; 2],
        inexact: [usize; 2],
    }
    let last = rows.iter().filter_map(|row| row.terms.last());
    let count = last.map(|term| term.0 as usize + 1).max().unwrap_or(0);
    let mut uses = vec![Uses::default(); count];
    for &(unknown, coefficient) in rows.iter().flat_map(|row| &row.terms) {
        let uses = &mut uses[unknown as usize];
        let side = usize::from(coefficient > 0);
        uses.all[side] += 1;
        uses.inexact[side] += usize::from(coefficient.abs() > 1);
    }
    let cost = |uses: Uses| {
        let [low, high] = uses.all;
        let more = (low * high) as i64 - (low + high) as i64;
        (uses.inexact[0] * uses.inexact[1], more)
    };
    let used = (0..).zip(uses).filter(|(_, uses)| uses.all != [0, 0]);
    used.map(move |(unknown, uses)| (cost(uses), unknown))
}

/// Keeps the strictest of the inequalities with the same terms.
fn smallest(mut rows: Vec<Form>) -> Vec<Form> {
    rows.retain(|row| !row.terms.is_empty());
    // The list is nearly sorted, which this algorithm takes advantage of.
    rows.sort_by(|a, b| (&a.terms, a.constant).cmp(&(&b.terms, b.constant)));
    rows.dedup_by(|later, kept| later.terms == kept.terms);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(constant: i64, terms: &[(Unknown, i64)]) -> Form {
        let mut sum = Form::constant(constant);
        for &(unknown, coefficient) in terms {
            sum = sum.plus(&Form::unknown(unknown), coefficient).unwrap();
        }
        sum
    }

    #[test]
    fn integers_are_not_fractions() {
        let mut system = System::default();
        // 2 x = 1
        system.add_zero(form(-1, &[(0, 2)]));
        assert!(system.is_impossible());
        let mut tiles = System::default();
        // 64 i < 64 j < 64 i + 64
        tiles.add(form(-1, &[(0, -64), (1, 64)]));
        tiles.add(form(63, &[(0, 64), (1, -64)]));
        assert!(tiles.is_impossible());
    }

    /// Whatever is called impossible has no solution among small integers.
    #[test]
    fn nothing_possible_is_excluded() {
        let mut seed = 11_u64;
        let mut random = |below: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as i64 % below
        };
        let (mut excluded, mut missed) = (0, 0);
        for _ in 0..4000 {
            let rows: Vec<Form> = (0..2 + random(5))
                .map(|_| {
                    let terms: Vec<_> = (0..3).map(|at| (at as Unknown, random(9) - 4)).collect();
                    form(random(21) - 12, &terms)
                })
                // Bounds every unknown, so that all integer points can be tried.
                .chain((0..3).flat_map(|at| [form(6, &[(at, 1)]), form(6, &[(at, -1)])]))
                .collect();
            let mut system = System::default();
            rows.iter().for_each(|row| system.add(row.clone()));
            let value = |row: &Form, at: [i64; 3]| {
                let terms = row.terms.iter();
                row.constant + terms.map(|term| term.1 * at[term.0 as usize]).sum::<i64>()
            };
            let mut points = (0..13_i64.pow(3)).map(|n| [n % 13 - 6, n / 13 % 13 - 6, n / 169 - 6]);
            let is_possible = points.any(|at| rows.iter().all(|row| value(row, at) >= 0));
            let is_impossible = system.is_impossible();
            assert!(!(is_possible && is_impossible), "{rows:?}");
            excluded += u32::from(is_impossible);
            missed += u32::from(!is_possible && !is_impossible);
        }
        assert!(
            // Elimination may miss contradictions among integers, but only few.
            excluded > 500 && missed * 20 < excluded,
            "{excluded} {missed}"
        );
    }
}
