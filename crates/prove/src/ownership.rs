//! Proves that no two lanes store the same element of an output except atomically, and that outputs are stored
//! whole.
//!
//! The second half concerns outputs that nothing loads, adds to or initialises (see `coverage`).

use rustc_hash::FxHashSet;

use super::coverage::{self, Covered};
use super::whole_tiles::{self, at_least_one};
use super::{Assumption, Precondition, Proof, Subject};
use a2lint_analysis::{
    Answers, Disjointness, Factor, Given, Meeting, Places, Relation, Sum, Workers, sizes,
    weakest_precondition,
};
use a2lint_ir::sync::side_of;
use a2lint_ir::{GlobalId, GlobalKind, Instr, Program, StmtId, VariableId, View};
use a2lint_isa::{Pipe, Side};
use a2lint_source::text::Span;

/// A store to an output.
pub(super) struct Store {
    pub stmt: StmtId,
    pub operand: usize,
    pub global: GlobalId,
    pub side: Side,
    pub is_atomic: bool,
}

/// Proves the property: any two stores of different lanes are disjoint.
pub(super) fn prove(subject: &Subject) -> Proof {
    let stores = stores(subject);
    let answers = Answers::new(subject.program);
    // First without divisors of sizes, which exclude launches (`in_whole_tiles`).
    let whole_tiles = || {
        let attempt = |given: &[Given]| attempt(subject, &stores, given, |_, answer| answer()).ok();
        in_whole_tiles(subject, &stores, attempt)
    };
    let (outcome, under) = weakest_precondition(subject.program, |positive| {
        let outcome = attempt(
            subject,
            &stores,
            &at_least_one(positive),
            |question, answer| answers.ask(question, positive, answer),
        );
        (outcome.is_ok(), outcome)
    });
    match outcome {
        Ok(held) => {
            let proof = Proof::holds_under(subject.program, &under);
            in_lines(subject.program, proved(subject, &stores, held, proof))
        }
        // A tail that nothing stores may be the only hole.
        Err(gap @ Gap::Hole(_)) => match whole_tiles() {
            Some(proof) => in_lines(subject.program, proof),
            None => gap.proof(subject),
        },
        // The last tile of a part may reach into the next part, which belongs to another lane.
        Err(gap @ Gap::Meeting(..)) => on_one_lane(subject, &stores)
            .or_else(|| Some(in_lines(subject.program, whole_tiles()?)))
            .unwrap_or_else(|| gap.proof(subject)),
    }
}

/// Tries to prove ownership for launches with one lane, if the known launches or the declared `block_dim` have one: no
/// work is then divided between lanes.
fn on_one_lane(subject: &Subject, stores: &[Store]) -> Option<Proof> {
    let program = subject.program;
    let of = match (program.counts_vec_cores(), program.cube_only) {
        (true, _) => Workers::VecLanes,
        (false, true) => Workers::Cores,
        (false, false) => return None,
    };
    let condition = Precondition::OneLane(of);
    let mut launches = subject.launches.iter();
    let is_meant = !subject.launches.is_empty() || program.block_dim == Some(1);
    (is_meant && launches.all(|launch| condition.holds_in(launch))).then_some(())?;
    let attempt = |given: &[Given]| {
        let places = places(subject, stores, given);
        let covered = coverage::covered(subject, stores, &places).ok()?;
        Some(Held {
            covered,
            sums: Vec::new(),
        })
    };
    let (held, under) = weakest_precondition(program, |positive| {
        let held = attempt(&at_least_one(positive));
        (held.is_some(), held)
    });
    let mut proof = match held {
        Some(held) => proved(subject, stores, held, Proof::holds_under(program, &under)),
        None => in_whole_tiles(subject, stores, attempt)?,
    };
    if let Proof::Holds { under, .. } = &mut proof {
        under.push(condition);
    }
    Some(proof)
}

/// Tries the proof for parameters that are multiples of the tiles they are cut into, because tails may not be
/// stored.
fn in_whole_tiles(
    subject: &Subject,
    stores: &[Store],
    attempt: impl Fn(&[Given]) -> Option<Held>,
) -> Option<Proof> {
    let program = subject.program;
    let places = places(subject, stores, &at_least_one(&sizes(program)));
    let (held, under) = whole_tiles::attempt(program, places.cut(), attempt)?;
    let proof = Proof::Holds {
        under,
        assuming: Vec::new(),
    };
    Some(proved(subject, stores, held, proof))
}

/// Returns sums that launches may keep from being negative, such that each share of an output has a lane: numbers that
/// the index of a lane is compared with are no larger than the number of lanes; and such that shares do not overlap,
/// or, where they do not, leave nothing out.
pub(super) fn demands(subject: &Subject) -> Vec<Sum> {
    let stores = stores(subject);
    let of = match stores.iter().all(|store| store.side == Side::Vec) {
        true => Workers::VecLanes,
        false => Workers::Cores,
    };
    let program = subject.program;
    let places = places(subject, &stores, &at_least_one(&sizes(program)));
    let compared = places.compared_with_index(of).into_iter();
    let demand = |id: VariableId| Sum {
        terms: vec![
            (vec![Factor::Parameter(id)], -1),
            (vec![Factor::Workers(of)], 1),
        ],
        constant: 0,
    };
    let mut found: Vec<Sum> = compared.map(demand).collect();
    // One after the other: under these, shares may be apart and complete.
    let demanded = &subject.program.demands;
    if found.iter().any(|sum| !demanded.contains(sum)) {
        return found;
    }
    let apart = Disjointness::new(&places);
    let open = pairs(&stores).filter_map(|(a, b)| {
        let meeting = |relation| ((a.stmt, a.operand), (b.stmt, b.operand), relation);
        let mut meetings = relations(a, b).into_iter().map(meeting);
        // What keeps different cores apart mostly keeps the lanes of a core apart.
        meetings.find(|meeting| !apart.are_apart(*meeting))
    });
    let mut are_apart = true;
    let shares: Option<Vec<Vec<Sum>>> = open
        .map(|meeting| {
            are_apart = false;
            apart.demands_apart(meeting)
        })
        .collect();
    if !are_apart {
        found.extend(shares.into_iter().flatten().flatten());
        return found;
    }
    found.extend(filled(demanded));
    found
}

/// Returns sums that are not negative where shares that do not overlap have no room left: the opposites of demands on
/// products, as far as no other demand is stricter.
fn filled(demands: &[Sum]) -> Vec<Sum> {
    let is_size = |factor: &Factor| matches!(factor, Factor::Parameter(_));
    let is_of_tiles = |sum: &&Sum| {
        sum.factors().all(is_size) && sum.terms.iter().any(|(product, _)| product.len() > 1)
    };
    let is_stricter = |sum: &Sum, other: &Sum| {
        let is_more = |more: Sum| more.constant >= 0 && more.terms.iter().all(|it| it.1 > 0);
        sum != other && sum.minus(other).is_some_and(is_more)
    };
    let own: Vec<&Sum> = demands.iter().filter(is_of_tiles).collect();
    let kept = own.iter();
    let kept = kept.filter(|sum| !own.iter().any(|other| is_stricter(sum, other)));
    let none = Sum {
        terms: Vec::new(),
        constant: 0,
    };
    kept.filter_map(|sum| none.minus(sum)).collect()
}

/// Iterates over the pairs of stores to one output that may not meet, each store with itself among them: two lanes
/// execute it.
fn pairs(stores: &[Store]) -> impl Iterator<Item = (&Store, &Store)> {
    let pairs = stores.iter().enumerate();
    let pairs = pairs.flat_map(|(at, a)| stores[..=at].iter().map(move |b| (a, b)));
    pairs.filter(|(a, b)| a.global == b.global && !(a.is_atomic && b.is_atomic))
}

/// Returns the relations of lanes in which two stores must not meet; none if that is not followed.
fn relations(a: &Store, b: &Store) -> Vec<Relation> {
    match (a.side, b.side) {
        (Side::Vec, Side::Vec) => vec![Relation::Cores(a.side, b.side), Relation::SubBlocks],
        // A core has one cube, but two vec lanes.
        (Side::Cube, Side::Cube) => vec![Relation::Cores(a.side, b.side)],
        _ => Vec::new(),
    }
}

/// Adds an assumption on cache lines to a proof if lanes store numbers to global memory: a core writes back whole
/// lines, with the elements of other cores in them.
fn in_lines(program: &Program, mut proof: Proof) -> Proof {
    let stores_number = |instr: &Instr| {
        let mut operands = instr.operands();
        instr.pipe() == Some(Pipe::S)
            && operands.any(|(_, described, view)| {
                described.access.writes() && View::global(view).is_some()
            })
    };
    let mut instructions = program.instructions().into_iter();
    if let Proof::Holds { assuming, .. } = &mut proof
        && instructions.any(|(_, instr)| stores_number(instr))
    {
        let what = "no two cores store numbers into one cache line of 64 bytes";
        assuming.push(Assumption::other(what));
    }
    proof
}

/// Adds the preconditions and assumptions on shapes and sums to a proof.
fn proved(subject: &Subject, stores: &[Store], held: Held, mut proof: Proof) -> Proof {
    let Held { covered, sums } = held;
    let Covered { seen, asked } = covered;
    if let Proof::Holds { under, assuming } = &mut proof {
        under.extend(asked);
        assuming.extend(seen);
        let given = at_least_one(&sizes(subject.program));
        let places = places(subject, stores, &given);
        assuming.extend(coverage::kept(subject, stores, &places));
        let sums = sums
            .into_iter()
            .map(|id| Assumption::summands(&subject.program.global(id).name));
        assuming.extend(sums);
    }
    proof
}

/// Returns whether the kernel runs on one lane unless a launch specifies more.
fn has_one_lane(program: &Program) -> bool {
    let is_lane = program.counts_vec_cores() || program.cube_only;
    is_lane && program.block_dim == Some(1)
}

/// The reason why the property is not proved.
enum Gap {
    /// A store that may overlap another one, with the name of the output.
    Meeting(StmtId, String),
    /// An output with elements that may not be stored.
    Hole(GlobalId),
}

impl Gap {
    fn proof(self, subject: &Subject) -> Proof {
        match self {
            Gap::Meeting(at, name) => {
                let parts = format!("that different lanes store different parts of `{name}`");
                let because = match has_one_lane(subject.program) {
                    true => {
                        format!(
                            "not shown for launches with more lanes than `block_dim=1`: {parts}"
                        )
                    }
                    false => format!("not shown: {parts}"),
                };
                Proof::open_at(because, subject.span(at))
            }
            Gap::Hole(id) => {
                let global = subject.program.global(id);
                let because = format!(
                    "not shown: that every element of `{}` is stored",
                    global.name
                );
                let at = only_store(subject.program, id).unwrap_or(global.span);
                Proof::open_at(because, Some(at))
            }
        }
    }
}

/// Returns the place of the store to a tensor, if there is only one.
fn only_store(program: &Program, global: GlobalId) -> Option<Span> {
    let is_it = |view: &View| view.global().is_some_and(|view| view.global == global);
    let all = program.instructions();
    let mut stores = all.iter().filter(|(_, instr)| {
        let mut operands = instr.operands();
        operands.any(|(_, operand, view)| operand.access.writes() && is_it(view))
    });
    let (first, _) = stores.next()?;
    stores
        .all(|(stmt, _)| stmt.span == first.span)
        .then_some(first.span)
}

/// The assumptions and preconditions under which the property holds.
struct Held {
    covered: Covered,
    /// Outputs to which several lanes add the same elements.
    sums: Vec<GlobalId>,
}

fn attempt(
    subject: &Subject,
    stores: &[Store],
    given: &[Given],
    known: impl Fn(Meeting, &dyn Fn() -> bool) -> bool,
) -> Result<Held, Gap> {
    let places = places(subject, stores, given);
    let apart = Disjointness::new(&places);
    let sums = meeting(subject, stores, known, &apart)?;
    let covered = coverage::covered(subject, stores, &places).map_err(Gap::Hole)?;
    Ok(Held { covered, sums })
}

fn places(subject: &Subject, stores: &[Store], given: &[Given]) -> Places {
    let wanted: FxHashSet<StmtId> = stores.iter().map(|store| store.stmt).collect();
    Places::within(subject.program, subject.analysis, given, &wanted)
}

fn stores(subject: &Subject) -> Vec<Store> {
    let program = subject.program;
    let mut found = Vec::new();
    for (stmt, instr) in program.instructions() {
        for (operand, described, view) in instr.operands() {
            let Some(view) = View::global(view).filter(|_| described.access.writes()) else {
                continue;
            };
            // Workspaces are passed between lanes, so stores of different lanes to one element are normal there.
            if program.global(view.global).kind == GlobalKind::Param {
                found.push(Store {
                    stmt: stmt.id,
                    operand,
                    global: view.global,
                    side: side_of(program, instr),
                    is_atomic: program.is_atomic(stmt.id),
                });
            }
        }
    }
    found
}

/// Returns the outputs in which several lanes accumulate into the same elements, if no other stores overlap; `Err`
/// explains what is not shown. `known` looks up the answer to a question, or computes it.
fn meeting(
    subject: &Subject,
    stores: &[Store],
    known: impl Fn(Meeting, &dyn Fn() -> bool) -> bool,
    apart: &Disjointness,
) -> Result<Vec<GlobalId>, Gap> {
    let mut sums = Vec::new();
    for (at, a) in stores.iter().enumerate() {
        // A store is also paired with itself: two lanes execute it.
        for b in &stores[..=at] {
            let are_sums = a.is_atomic && b.is_atomic;
            // One pair of sums is enough to name the assumption.
            if a.global != b.global || are_sums && sums.contains(&a.global) {
                continue;
            }
            let are_apart = |relation| {
                let meeting = ((a.stmt, a.operand), (b.stmt, b.operand), relation);
                known(meeting, &|| apart.are_apart(meeting))
            };
            let relations = relations(a, b);
            let holds = !relations.is_empty() && relations.into_iter().all(are_apart);
            match (holds, are_sums) {
                (true, _) => {}
                // Several lanes may add to an element in any order; only data that is added twice would be a fault.
                (false, true) => sums.push(a.global),
                (false, false) => {
                    let name = subject.program.global(a.global).name.to_string();
                    return Err(Gap::Meeting(a.stmt, name));
                }
            }
        }
    }
    Ok(sums)
}
