//! Debug sessions: stops, inspection and steps back.

mod dap;
mod expressions;
mod terminal;

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use crate::fuzzing::mutate::Random;
use crate::sync::{kernels, launches, module};
use a2lint::debug::{
    Breakpoint, Change, DataBreakpoint, Direction, Exception, Filter, Hits, Instant, Limits, Place,
    Reason, Session, Stops, Stride, Touch,
};
use a2lint::ir::{Module, Program, StmtId, StmtKind};
use a2lint::isa::{Pipe, Position};
use a2lint::machine::{
    Access, BoundLaunch, End, LaneId, LaneKind, MemoryId, NullObserver, Observer, Options, Site,
    simulate,
};
use a2lint::project::SourceMap;
use a2lint::text::SourceText;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Limits with so small a distance between snapshots that a walk passes many.
const CLOSE: Limits = Limits {
    steps: 50_000_000,
    kept: 16 << 20,
    interval: 3_000,
    memory: 1 << 30,
};

/// Names of operands of helpers are not asked for here.
static NO_TEXT: LazyLock<SourceMap> = LazyLock::new(SourceMap::default);

fn session<'p>(program: &'p Program, bound: &'p BoundLaunch) -> Session<'p> {
    Session::new(program, &NO_TEXT, bound, CLOSE).expect("it can be run")
}

/// Walks at random and checks that an instant that is reached again has the same state.
fn walk(session: &mut Session, random: &mut Random, moves: usize) {
    let mut hashes: BTreeMap<Instant, u64> = BTreeMap::new();
    for _ in 0..moves {
        let (before, latest) = (session.now(), session.latest());
        let lanes = session.lanes();
        let lane = lanes[random.below(lanes.len())].id;
        let stride = [Stride::Statement, Stride::Source, Stride::Out][random.below(3)];
        match random.below(6) {
            0 => drop(session.step(lane, stride, &GO_ON)),
            1 => drop(session.step_back(lane, stride, &GO_ON)),
            2 => session.go_to(Instant(before.0 + random.below(300) as u64)),
            3 => session.go_to(Instant(before.0.saturating_sub(random.below(300) as u64))),
            4 => session.go_to(Instant(random.below(latest.0 as usize + 1) as u64)),
            _ => {
                let now = session.next().unwrap_or(lane);
                session.step(now, Stride::Statement, &GO_ON);
            }
        }
        if session.latest() < latest || session.latest() == session.now() {
            // States after an instant do not count any more if the run takes another course from there.
            let _ = hashes.split_off(&Instant(before.0 + 1));
        }
        let hash = session.hash();
        let known = *hashes.entry(session.now()).or_insert(hash);
        assert_eq!(known, hash, "instant {}", session.now());
    }
}

/// `A2LINT_DEBUG_WALKS=10000` sets the number of walks.
#[test]
fn an_instant_is_the_same_wherever_one_comes_from() {
    let walks = std::env::var("A2LINT_DEBUG_WALKS").ok();
    let walks: usize = walks.map_or(150, |walks| walks.parse().expect("a number"));
    let modules: Vec<Module> = kernels("kernels").iter().map(|path| module(path)).collect();
    let all: Vec<(&Program, BoundLaunch)> = modules.iter().flat_map(launches).collect();
    let mut random = Random::new(1);
    for number in 0..walks {
        let (program, bound) = &all[number * 7 % all.len()];
        walk(&mut session(program, bound), &mut random, 12);
    }
    println!("{walks} walks over {} launches", all.len());
}

/// A run without stops is that of the simulator, and can be reverted to its start.
#[test]
fn a_run_is_the_one_of_the_machine() {
    let mut stopped = 0;
    for path in kernels("kernels").iter().step_by(3) {
        let module = module(path);
        let Some((program, bound)) = launches(&module).into_iter().next() else {
            continue;
        };
        let outcome = simulate(program, &bound, &Options::default(), &mut NullObserver);
        let mut session = session(program, &bound);
        let start = session.hash();
        let end = session.resume(Direction::Forward, &Stops::default(), &GO_ON);
        assert_eq!(end.reason, Reason::End(outcome.end.clone()), "{path:?}");
        assert_eq!(session.findings().len(), outcome.findings.len());
        let lane = session.lanes().last().expect("a lane").id;
        let globals = (0..program.globals.len() as u32).map(a2lint::ir::GlobalId);
        for (id, memory) in globals.zip(&outcome.globals) {
            let all = 0..memory.capacity();
            let seen = session.inspect(lane, |it| it.bytes(MemoryId::Global(id), all.clone()));
            let (bytes, _) = seen.flatten().expect("a tensor");
            assert!(bytes == memory.bytes(all), "{path:?}");
        }
        let back = session.resume(Direction::Backward, &Stops::default(), &GO_ON);
        assert_eq!((back.at, back.reason), (Instant(0), Reason::Start));
        assert_eq!(session.hash(), start);
        stopped += 1;
    }
    assert!(stopped > 8, "{stopped}");
}

pub const KERNEL: &str = r#"from easyasc.a2 import *
import torch

@func()
def twice(dst, src):
    muls(dst, src, 2.0)

@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    done = DBuff(DT.float, [8, 64], Position.UB)
    rest = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        for at in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            row0 = Var(at * 8)
            live = Min(8, M - row0)
            tile[0:live, 0:64] <<= x[row0:row0 + live, 0:64]
            twice(done[at], tile)
            add(done[at], done[at], tile)
            y[row0:row0 + live, 0:64] <<= done[at][0:live, 0:64]
    return y

if __name__ == "__main__":
    x = torch.randn(200, 64)
    OpExec(rows, "", simulator=True)(x, torch.zeros(200, 64), 200)
"#;

pub fn kernel() -> Module {
    a2lint::frontend::dsl::trace(&SourceText::new(KERNEL))
}

/// Returns the statements that start on a line containing a text.
fn on(program: &Program, text: &str) -> Vec<StmtId> {
    let start = KERNEL.find(text).expect("it is there");
    let line = KERNEL[..start].lines().count();
    let mut found = Vec::new();
    program.walk(&mut |stmt| {
        let own = KERNEL[..stmt.span.start as usize + 1].lines().count();
        if own == line && matches!(stmt.kind, StmtKind::Instr(_)) {
            found.push(stmt.id);
        }
    });
    assert!(!found.is_empty(), "{text}");
    found
}

fn breakpoint(program: &Program, text: &str) -> Breakpoint {
    Breakpoint {
        id: 1,
        stmts: on(program, text),
        filter: Filter::default(),
        condition: None,
        hits: Hits::All,
    }
}

/// Returns all instants at which a run stops, forwards and backwards.
fn stops_of(session: &mut Session, stops: &Stops) -> [Vec<(Instant, Reason)>; 2] {
    [Direction::Forward, Direction::Backward].map(|direction| {
        let mut all = Vec::new();
        loop {
            let stopped = session.resume(direction, stops, &GO_ON);
            match stopped.reason {
                Reason::Start | Reason::End(_) => break all,
                reason => all.push((stopped.at, reason)),
            }
        }
    })
}

#[test]
fn a_run_stops_at_the_same_instants_both_ways() {
    let module = kernel();
    let (program, bound) = launches(&module).remove(0);
    let count = |change: &dyn Fn(&mut Breakpoint)| {
        let mut point = breakpoint(program, "add(done");
        change(&mut point);
        let stops = Stops {
            breakpoints: vec![point],
            ..Stops::default()
        };
        let [forward, mut backward] = stops_of(&mut session(program, &bound), &stops);
        backward.reverse();
        assert_eq!(forward, backward);
        forward.len()
    };
    // Each of the 25 tiles is one iteration of some lane.
    assert_eq!(count(&|_| {}), 25);
    assert_eq!(count(&|it| it.filter.core = Some(0)), 2);
    assert_eq!(count(&|it| it.filter.lane = Some("vec1".into())), 12);
    assert_eq!(count(&|it| it.filter.iterations = vec![Some(0)]), 25);
    assert_eq!(count(&|it| it.filter.iterations = vec![Some(1)]), 0);
    assert_eq!(count(&|it| it.hits = Hits::Only(7)), 1);
    assert_eq!(count(&|it| it.hits = Hits::From(20)), 6);
    assert_eq!(count(&|it| it.hits = Hits::Every(10)), 2);
    assert_eq!(count(&|it| it.filter.lane = Some("cube".into())), 0);
}

#[test]
fn steps_go_back_the_way_that_they_came() {
    let module = kernel();
    let (program, bound) = launches(&module).remove(0);
    let mut session = session(program, &bound);
    let lane = LaneId {
        core: 0,
        kind: LaneKind::Vec(0),
    };
    for stride in [Stride::Statement, Stride::Source] {
        session.go_to(Instant(0));
        let mut passed = vec![session.now()];
        for _ in 0..9 {
            let stopped = session.step(lane, stride, &GO_ON);
            if stopped.reason != Reason::Step {
                break;
            }
            passed.push(stopped.at);
        }
        assert!(passed.len() > 4, "{passed:?}");
        session.go_to(*passed.last().expect("the last step"));
        let last = passed.pop();
        assert_eq!(last, Some(session.now()));
        for at in passed.into_iter().rev() {
            assert_eq!(session.step_back(lane, stride, &GO_ON).at, at, "{stride:?}");
        }
    }
    // Steps over, into and out of a helper.
    let stops = Stops {
        breakpoints: vec![breakpoint(program, "muls(dst")],
        ..Stops::default()
    };
    session.go_to(Instant(0));
    session.resume(Direction::Forward, &stops, &GO_ON);
    let out = session.step(lane, Stride::Out, &GO_ON);
    assert_eq!(out.reason, Reason::Step);
    let at_add = Stops {
        breakpoints: vec![breakpoint(program, "add(done")],
        ..Stops::default()
    };
    session.go_to(Instant(0));
    assert_eq!(
        session.resume(Direction::Forward, &at_add, &GO_ON).at,
        out.at
    );
}

/// Records every write of a run in order.
struct Writes(Vec<Write>);

struct Write {
    stmt: StmtId,
    lane: LaneId,
    iterations: Vec<i64>,
    memory: MemoryId,
    /// First byte and length of each written range.
    runs: Vec<(i64, i64)>,
}

impl Observer for Writes {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn access(&mut self, site: &Site, access: &Access) {
        if access.write {
            self.0.push(Write {
                stmt: site.stmt,
                lane: site.lane,
                iterations: site.iterations.to_vec(),
                memory: access.memory,
                runs: access.rows.iter().flat_map(|rows| rows.runs()).collect(),
            });
        }
    }
}

#[test]
fn who_wrote_a_byte_is_who_wrote_it_last() {
    let module = kernel();
    let (program, bound) = launches(&module).remove(0);
    let mut writes = Writes(Vec::new());
    simulate(program, &bound, &Options::default(), &mut writes);
    let mut session = session(program, &bound);
    session.resume(Direction::Forward, &Stops::default(), &GO_ON);
    let mut random = Random::new(3);
    for _ in 0..40 {
        let write = &writes.0[random.below(writes.0.len())];
        let (start, length) = write.runs[0];
        let byte = start + random.below(length as usize) as i64;
        let place = Place::of(write.lane, write.memory);
        let wrote = |other: &&Write| {
            let mut runs = other.runs.iter();
            Place::of(other.lane, other.memory).is(place)
                && runs.any(|(start, length)| (*start..start + length).contains(&byte))
        };
        let last = writes.0.iter().rev().find(wrote).expect("a write");
        let found = session.who_wrote(place, byte as usize..byte as usize + 1, &GO_ON);
        let found: Touch = found.expect("no limit").expect("a write");
        assert_eq!(
            (found.stmt, found.lane, &found.iterations),
            (last.stmt, last.lane, &last.iterations)
        );
        // A step at the found instant executes the write.
        let end = session.now();
        session.go_to(found.at);
        let stops = Stops {
            data: vec![DataBreakpoint {
                id: 4,
                place,
                bytes: byte as usize..byte as usize + 1,
                change: Change::Written,
            }],
            ..Stops::default()
        };
        let stopped = session.resume(Direction::Forward, &stops, &GO_ON);
        assert_eq!(stopped.reason, Reason::Data(4, found.stmt));
        assert_eq!(stopped.at, Instant(found.at.0 + 1));
        session.go_to(end);
    }
    // A byte that is never written.
    let lane = LaneId {
        core: 12,
        kind: LaneKind::Vec(0),
    };
    let spare = 190_000..190_001;
    let nobody = session.who_wrote(Place::Local(lane, Position::Ub), spare, &GO_ON);
    assert_eq!(nobody, Ok(None));
}

#[test]
fn what_is_written_is_read_next_where_it_is_used() {
    let module = kernel();
    let (program, bound) = launches(&module).remove(0);
    let mut session = session(program, &bound);
    let stops = Stops {
        breakpoints: vec![breakpoint(program, "muls(dst")],
        ..Stops::default()
    };
    let stopped = session.resume(Direction::Forward, &stops, &GO_ON);
    let lane = stopped.lane.expect("a lane");
    session.step(lane, Stride::Statement, &GO_ON);
    let here = (session.now(), session.hash());
    let done = program.buffers.iter().position(|it| it.name == "done");
    let done = a2lint::ir::BufferId(done.expect("a buffer") as u32);
    let element = session.inspect(lane, |it| it.element(done, 0, [3, 5]));
    let (position, bytes) = element.flatten().expect("an element");
    let place = Place::Local(lane, position);
    let read = session.next_read(place, bytes.clone(), &GO_ON);
    let read = read.expect("no limit").expect("a read");
    assert!(on(program, "add(done").contains(&read.stmt));
    assert_eq!((session.now(), session.hash()), here);
    let wrote = session.who_wrote(place, bytes, &GO_ON).expect("no limit");
    assert!(on(program, "muls(dst").contains(&wrote.expect("a write").stmt));
}

/// Both directions stop before the same accesses, and where values become infinite or NaN.
#[test]
fn a_run_stops_at_races_and_where_values_stop_being_finite() {
    let only = |exception: Exception| Stops {
        exceptions: vec![exception],
        ..Stops::default()
    };
    let text = KERNEL.replace("    with auto_sync():\n", "    if M > 0:\n");
    assert_ne!(text, KERNEL);
    let traced = a2lint::frontend::dsl::trace(&SourceText::new(text.as_str()));
    let (program, bound) = launches(&traced).remove(0);
    let mut racing = session(program, &bound);
    let [forward, mut backward] = stops_of(&mut racing, &only(Exception::Race));
    backward.reverse();
    assert_eq!(forward, backward);
    assert_eq!(forward.len(), racing.races().count());
    assert!(!forward.is_empty());
    let mut loads = 0;
    for (_, reason) in &forward {
        let Reason::Race(hazard) = reason else {
            panic!("{reason:?}");
        };
        loads += usize::from(hazard.first.pipe == Pipe::Mte2 && hazard.second.pipe == Pipe::V);
    }
    assert!(loads > 0, "{forward:?}");
    assert_eq!(racing.races().left_out, None);

    let text = KERNEL.replace("muls(dst, src, 2.0)", "muls(dst, src, 3e38)");
    assert_ne!(text, KERNEL);
    let traced = a2lint::frontend::dsl::trace(&SourceText::new(text.as_str()));
    let (program, bound) = launches(&traced).remove(0);
    let mut large = session(program, &bound);
    let [forward, mut backward] = stops_of(&mut large, &only(Exception::NonFinite));
    backward.reverse();
    assert_eq!(forward, backward);
    let multiplies = on(program, "muls(dst");
    assert!(!forward.is_empty());
    for (_, reason) in &forward {
        let Reason::NonFinite(stmt, value) = reason else {
            panic!("{reason:?}");
        };
        assert!(multiplies.contains(stmt) && value.is_infinite(), "{value}");
    }

    // The unchanged kernel has neither.
    let traced = a2lint::frontend::dsl::trace(&SourceText::new(KERNEL));
    let (program, bound) = launches(&traced).remove(0);
    let mut sound = session(program, &bound);
    for exception in [Exception::Race, Exception::NonFinite] {
        let [forward, backward] = stops_of(&mut sound, &only(exception));
        assert_eq!((forward.len(), backward.len()), (0, 0), "{exception:?}");
    }
}

#[test]
fn a_run_stops_where_undefined_data_is_used_and_where_it_hangs() {
    let text = KERNEL.replace(
        "add(done[at], done[at], tile)",
        "add(done[at], done[at], rest)",
    );
    let module = a2lint::frontend::dsl::trace(&SourceText::new(text.as_str()));
    let (program, bound) = launches(&module).remove(0);
    let mut session = session(program, &bound);
    let stops = Stops {
        exceptions: Exception::ALL.to_vec(),
        ..Stops::default()
    };
    let [forward, mut backward] = stops_of(&mut session, &stops);
    backward.reverse();
    assert_eq!(forward, backward);
    assert!(!forward.is_empty());
    let is_undefined =
        |reason: &Reason| matches!(reason, Reason::Observed(_, kind) if kind.is_undefined());
    assert!(
        forward.iter().all(|(_, reason)| is_undefined(reason)),
        "{forward:?}"
    );

    let text = KERNEL.replace(
        "    with auto_sync():\n",
        "    gone = SEvent(Pipe.V, Pipe.S)\n    gone.wait()\n    with auto_sync():\n",
    );
    let module = a2lint::frontend::dsl::trace(&SourceText::new(text.as_str()));
    let (program, bound) = launches(&module).remove(0);
    let mut session = self::session(program, &bound);
    let end = session.resume(Direction::Forward, &Stops::default(), &GO_ON);
    let outcome = simulate(program, &bound, &Options::default(), &mut NullObserver);
    assert!(matches!(outcome.end, End::Deadlock(_)), "{:?}", outcome.end);
    assert_eq!(end.reason, Reason::End(outcome.end));
}
