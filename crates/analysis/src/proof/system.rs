//! Linear inequalities over integers: whether some of them exclude each other.
//!
//! Exact Fourier-Motzkin elimination. Every inequality is divided by the common factor of its coefficients
//! and its constant rounded down, which no integer solution minds. What takes too much is not decided, and
//! `excluded` says no.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A number that is not known.
pub type Unknown = u32;

/// `constant + coefficient * unknown + …`, unknowns ascending, no coefficient 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Form {
    pub(super) constant: i64,
    pub(super) terms: SmallVec<[(Unknown, i64); 4]>,
}

/// Cases of which one is so: in each, forms that are not negative.
pub type Cases = Vec<Vec<Form>>;

/// Most inequalities that are kept.
const MOST: usize = 300;
/// Largest coefficient or constant; beyond it nothing is concluded.
const LARGEST: i64 = 1 << 60;

impl Form {
    /// A constant.
    pub fn constant(constant: i64) -> Form {
        Form {
            constant,
            terms: SmallVec::new(),
        }
    }

    /// An unknown by itself.
    pub fn unknown(unknown: Unknown) -> Form {
        Form {
            constant: 0,
            terms: SmallVec::from_slice(&[(unknown, 1)]),
        }
    }

    /// `self + times * other`; `None` where numbers get too large.
    pub fn plus(&self, other: &Form, times: i64) -> Option<Form> {
        self.combined(1, other, times)
    }

    /// `own * self + times * other`; `None` where numbers get too large.
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

    /// `self + number`.
    pub fn plus_number(mut self, number: i64) -> Form {
        self.constant = self.constant.saturating_add(number);
        self
    }

    fn coefficient(&self, unknown: Unknown) -> i64 {
        let found = self.terms.iter().find(|term| term.0 == unknown);
        found.map_or(0, |term| term.1)
    }

    /// The same with what an unknown is by a form that is zero; `None` where it gets too large.
    fn replaced(self, zero: &Form, unknown: Unknown) -> Option<Form> {
        match self.coefficient(unknown) {
            0 => Some(self),
            by => {
                let sign = zero.coefficient(unknown);
                self.plus(zero, -by * sign).map(Form::tighten)
            }
        }
    }

    /// Divides by what the coefficients have in common.
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

/// Systems that were decided. Attempts with more or fewer preconditions ask much the same.
#[derive(Default)]
struct Decided {
    excluded: FxHashMap<Vec<Form>, bool>,
    /// Inequalities in all of them.
    rows: usize,
}

thread_local! {
    static DECIDED: RefCell<Decided> = RefCell::default();
}

impl Decided {
    /// Most inequalities that are kept, of about 100 bytes each.
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

/// Forms that are not negative, all at once.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// In the order of their terms, of those with the same terms the one with the smallest constant.
    rows: Vec<Form>,
    /// Whether one of them excludes itself.
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

    /// Leaves out the unknowns that no case speaks of, as far as that loses nothing and makes it smaller.
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

    /// Whether no integers satisfy all of it. `false` may also mean that this takes too much.
    pub fn is_impossible(&self) -> bool {
        self.is_broken || DECIDED.with_borrow_mut(|decided| decided.exclude(&self.rows))
    }

    /// Whether it does not allow that a form is negative.
    pub fn implies(&self, form: Option<Form>) -> bool {
        let below = form.and_then(|form| Form::default().plus(&form, -1));
        below.is_some_and(|below| {
            let mut against = self.clone();
            against.add(below.plus_number(-1));
            against.is_impossible()
        })
    }
}

/// Whether no integers satisfy all of the inequalities.
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

/// The inequalities with unknowns replaced by what they equal, in them and in the cases; `None` where they
/// exclude each other.
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

/// What is left of inequalities without one unknown.
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
    /// The form is zero; this unknown has the coefficient 1 or -1 in it.
    Of(Form, Unknown),
    Impossible,
}

/// The shortest form among the inequalities that has to be zero, and by which an unknown can be replaced. The
/// inequalities are in the order of their terms.
fn equality(rows: &[Form]) -> Option<Equality> {
    let mut found: Option<(&Form, Unknown)> = None;
    // One of both has a positive coefficient first.
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

/// The inequalities with what an unknown is by a form that is zero; `None` where they exclude each other. What
/// gets too large is left out.
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

/// What two inequalities say without the unknown that has a positive coefficient in one of them and a
/// negative one in the other.
fn combined(low: &Form, high: &Form, unknown: Unknown) -> Option<Form> {
    let (a, b) = (low.coefficient(unknown), -high.coefficient(unknown));
    let common = gcd(a, b);
    Some(low.combined(b / common, high, a / common)?.tighten())
}

/// What it costs to eliminate each unknown: how many pairs lose integers, then how many inequalities come
/// anew. A pair loses nothing if one of both coefficients is 1.
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

/// Of inequalities with the same terms, the strictest.
fn smallest(mut rows: Vec<Form>) -> Vec<Form> {
    rows.retain(|row| !row.terms.is_empty());
    // Most of them are in order.
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
            excluded > 500 && missed * 20 < excluded,
            "{excluded} {missed}"
        );
    }
}
