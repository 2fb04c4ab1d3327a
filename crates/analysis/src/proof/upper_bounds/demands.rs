//! What launches have to satisfy where facts do not suffice: sums of numbers of the launch that are not negative.

use super::super::disjointness::Meeting;
use super::super::pair::Relation;
use super::super::places::{Place, Places};
use super::super::search::{FUEL, Goal, Search};
use super::{DEPTH, Known, Poly, usual};
use crate::scalar::Linear;
use a2lint_ir::{Factor, Sum};

/// Maximum number of upper bounds among which a demand on launches is chosen.
const MOST_TRIED: usize = 48;
/// Maximum number of terms of a sum that launches are asked for.
const MOST_DEMANDED: usize = 5;
/// Smallest limit on a single number that launches are asked for.
const LEAST_LIMIT: i64 = 255;
/// Maximum number of bounds that are tried for what one question asks of launches.
const FUEL_OF_DEMANDS: u32 = 64 * FUEL;

/// Returns sums that a launch has to keep from being negative, such that a number is not negative where facts hold.
pub fn demands_natural(places: &Places, facts: &[Linear], number: &Linear) -> Option<Vec<Sum>> {
    let mut known = Known::new(places, Relation::SameIteration);
    known.add_all(facts, 0);
    let number = known.poly(number, 0)?;
    let negated = Poly::default().plus_times(&number, -1)?;
    known.wanted(&[negated], &mut { FUEL_OF_DEMANDS })
}

/// Returns sums that a launch has to keep from being negative, such that a window lies inside of its tensor.
pub fn demands_inside(places: &Places, place: &Place, axis: usize) -> Option<Vec<Sum>> {
    let mut known = Known::new(places, Relation::SameIteration);
    let [beyond, before] = known.outside(place, axis, None)?;
    let mut fuel = FUEL_OF_DEMANDS;
    let mut wanted = known.wanted(&[beyond], &mut fuel)?;
    wanted.extend(known.wanted(&[before], &mut fuel)?);
    Some(wanted)
}

/// Returns sums that a launch has to keep from being negative, such that two places have nothing in common.
pub fn demands_apart(
    places: &Places,
    (first, second, relation): Meeting,
    fuel: &mut u32,
) -> Option<Vec<Sum>> {
    let (a, b) = (places.at(first.0, first.1)?, places.at(second.0, second.1)?);
    let mut known = Known::new(places, relation);
    let goals = known.apart(a, b, relation)?;
    known.wanted(&goals, fuel)
}

impl Known<'_> {
    /// Returns sums that a launch has to keep from being negative, such that in each case one of some numbers is at
    /// most zero; `None` if no such sums are found. `fuel` is the number of bounds that may still be tried.
    fn wanted(&mut self, any_of: &[Poly], fuel: &mut u32) -> Option<Vec<Sum>> {
        self.describe();
        let mut wanted: Vec<(Sum, Poly)> = Vec::new();
        for mut case in self.cases()? {
            let known = self.in_case(&mut case);
            let mut descend = |number: &Poly, goal: Goal| {
                let mut search = Search::new(&known.facts, &known, goal);
                search.fuel = search.fuel.min(*fuel);
                if goal == Goal::OfLaunch {
                    // Most bounds lose a relation between the numbers, and no launch can be asked for them.
                    search.most_found = MOST_TRIED;
                }
                let given = search.fuel;
                let is_shown = search.descend(number, DEPTH);
                *fuel -= given - search.fuel;
                (is_shown, search.found)
            };
            let any_of: Vec<Poly> = any_of.iter().map(|it| case.valued(it)).collect();
            if any_of.iter().any(|it| descend(it, Goal::NotPositive).0)
                || known.excludes_all(&any_of)
            {
                continue;
            }
            let bounds: Vec<Poly> = any_of
                .iter()
                .flat_map(|it| descend(it, Goal::OfLaunch).1)
                .collect();
            let bounds = bounds.into_iter();
            let rooms = bounds.filter_map(|bound| {
                let room = Poly::default().plus_times(&bound, -1)?.tightened();
                Some((self.sum(&room).filter(is_demand)?, room))
            });
            // The demand that leaves most room excludes fewest launches.
            let best = rooms.max_by_key(|(sum, _)| (!limits_workers(sum), usual(sum)));
            let (sum, room) = best?;
            // Cases that follow may hold under the same demand.
            self.add(room.clone());
            wanted.push((sum, room));
        }
        Some(self.needed(wanted))
    }

    /// Leaves out sums that are not negative where another one of them is not.
    fn needed(&self, mut wanted: Vec<(Sum, Poly)>) -> Vec<Sum> {
        let bare = Known {
            least: self.least.clone(),
            ..Known::new(self.places, Relation::SameIteration)
        };
        let mut at = 0;
        while at < wanted.len() {
            let follows = |(other, (_, known)): (usize, &(Sum, Poly))| {
                let more = wanted[at].1.plus_times(known, -1);
                other != at && more.is_some_and(|more| bare.is_natural(&more))
            };
            match wanted.iter().enumerate().any(follows) {
                true => {
                    wanted.remove(at);
                }
                false => at += 1,
            }
        }
        wanted.into_iter().map(|(sum, _)| sum).collect()
    }
}

/// Returns whether a sum limits the number of cores or lanes.
fn limits_workers(sum: &Sum) -> bool {
    let mut terms = sum.terms.iter();
    let is_workers = |factor: &Factor| matches!(factor, Factor::Workers(_));
    terms.any(|(product, by)| *by < 0 && product.iter().any(is_workers))
}

/// Returns whether it may be asked of launches that a sum is not negative: it has few terms, and some launch with
/// numbers of at least 1 satisfies it.
fn is_demand(sum: &Sum) -> bool {
    let is = |sign: fn(i64) -> bool| sum.terms.iter().any(|(_, by)| sign(*by));
    let (grows, falls) = (is(|by| by > 0), is(|by| by < 0));
    match &sum.terms[..] {
        // A small limit on one number would exclude every useful launch.
        [(product, by @ ..0)] => {
            product.len() == 1 && sum.constant / by.saturating_neg() >= LEAST_LIMIT
        }
        terms => grows && falls && terms.len() <= MOST_DEMANDED,
    }
}
