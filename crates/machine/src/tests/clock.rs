use super::kernel::Kernel;
use crate::cost::Expense;
use crate::{
    Activity, Clock, End, LaneKind, Observer, Options, Site, Slice, SyncOp, Token, simulate,
};
use a2lint_ir::{LocalView, MutexKind, StmtKind};
use a2lint_isa::{DType, Opcode, Pipe};

struct Timed<'p>(Clock<'p>);

impl Observer for Timed<'_> {
    fn wants_costs(&self) -> bool {
        true
    }

    fn spend(&mut self, site: &Site, expense: &Expense) {
        self.0.spend(site, expense);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.0.synchronise(site, operation);
    }
}

/// Returns the slices of time of one lane.
fn slices(kernel: &mut Kernel, lane: LaneKind) -> Vec<Slice> {
    of_lane(&all_slices(kernel), lane)
}

fn of_lane(slices: &[Slice], lane: LaneKind) -> Vec<Slice> {
    let mine = slices.iter().filter(|slice| slice.lane.kind == lane);
    mine.copied().collect()
}

fn all_slices(kernel: &mut Kernel) -> Vec<Slice> {
    let launch = kernel.finish();
    let mut timed = Timed(Clock::new(&kernel.program, launch.cores, true));
    let (options, program) = (Options::default(), &kernel.program);
    assert_eq!(
        simulate(program, &launch, &options, &mut timed).end,
        End::Finished
    );
    let estimate = timed.0.estimate();
    assert_eq!((estimate.missing, estimate.slices_left_out), (0, 0));
    let last = estimate.slices.iter().map(|slice| match slice.activity {
        Activity::Work { done, .. } => done,
        _ => slice.end,
    });
    assert_eq!(Some(estimate.cycles), last.max());
    estimate.slices
}

fn work(slices: &[Slice], pipe: Pipe) -> Vec<Slice> {
    let is_work = |slice: &&Slice| matches!(slice.activity, Activity::Work { .. });
    let works = slices.iter().filter(is_work);
    works.filter(|slice| slice.pipe == pipe).copied().collect()
}

fn done(slice: &Slice) -> i64 {
    match slice.activity {
        Activity::Work { done, .. } => done,
        _ => slice.end,
    }
}

/// Cycles from setting an event to the start of the instruction that waits for it.
const HANDSHAKE: i64 = 11;

/// Loads a tile; the statements after it are up to the test.
fn loaded() -> (Kernel, LocalView) {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[4, 64]);
    let tile = k.ub("tile", DType::Float, [4, 64]);
    let from = k.fixed_window(x, &[(0, 4), (0, 64)]);
    k.instr(Opcode::GmToUbPad, [tile.clone().into(), from.into()]);
    (k, tile)
}

fn double(k: &mut Kernel, tile: &LocalView) {
    k.instr(
        Opcode::Add,
        [
            tile.clone().into(),
            tile.clone().into(),
            tile.clone().into(),
        ],
    );
}

#[test]
fn costs_follow_bytes_and_repeats() {
    let (mut k, tile) = loaded();
    double(&mut k, &tile);
    let slices = slices(&mut k, LaneKind::Vec(0));
    let [load] = work(&slices, Pipe::Mte2)[..] else {
        panic!()
    };
    let [add] = work(&slices, Pipe::V)[..] else {
        panic!()
    };
    // 217 + 1024 / 76, and a repeat each cycle; the result is there 24 cycles later.
    assert_eq!(load.end - load.start, 230);
    assert_eq!(add.end - add.start, 4);
    assert_eq!(done(&add) - add.start, 4 + 24);
}

#[test]
fn pipes_without_an_order_overlap() {
    let (mut k, tile) = loaded();
    double(&mut k, &tile);
    let slices = slices(&mut k, LaneKind::Vec(0));
    assert!(work(&slices, Pipe::V)[0].start < work(&slices, Pipe::Mte2)[0].end);
}

#[test]
fn events_order_pipes_and_their_waits_show() {
    let (mut k, tile) = loaded();
    let event = k.event(Pipe::Mte2, Pipe::V, 1, false);
    k.method(Opcode::EventSet, &event);
    k.method(Opcode::EventWait, &event);
    double(&mut k, &tile);
    let slices = slices(&mut k, LaneKind::Vec(0));
    let loaded = work(&slices, Pipe::Mte2)[0].end;
    assert_eq!(work(&slices, Pipe::V)[0].start, loaded + HANDSHAKE);
    let is_wait = |slice: &&Slice| matches!(slice.activity, Activity::Await(Token::Event { .. }));
    let wait = slices.iter().find(is_wait).expect("the wait is a slice");
    assert_eq!((wait.pipe, wait.end), (Pipe::V, loaded + HANDSHAKE));
}

#[test]
fn auto_sync_orders_the_pairs_it_covers() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[4, 64]);
    let y = k.output("y", DType::Float, &[4, 64]);
    let (tile, other) = (
        k.ub("tile", DType::Float, [4, 64]),
        k.ub("other", DType::Float, [4, 64]),
    );
    let from = k.fixed_window(x, &[(0, 4), (0, 64)]);
    let to = k.fixed_window(y, &[(0, 4), (0, 64)]);
    let body = |k: &mut Kernel| {
        let zero = k.float(0.0);
        k.instr(Opcode::GmToUbPad, [tile.clone().into(), from.into()]);
        k.instr(Opcode::Dup, [other.into(), zero.into()]);
        double(k, &tile);
        k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]);
    };
    k.nested(body, |body| StmtKind::AutoSync { body });
    let slices = slices(&mut k, LaneKind::Vec(0));
    let [load, store] = [Pipe::Mte2, Pipe::Mte3].map(|pipe| work(&slices, pipe)[0]);
    let [dup, add] = work(&slices, Pipe::V)[..] else {
        panic!()
    };
    // The `dup` works on another buffer, so no handshake delays it.
    assert!(dup.end < load.end, "nothing holds up another tensor");
    let order = (load.end + HANDSHAKE, done(&add) + HANDSHAKE);
    assert_eq!((add.start, store.start), order);
    let waits = slices.iter().filter_map(|slice| match slice.activity {
        Activity::AutoSync(pipe) => Some((slice.pipe, pipe)),
        _ => None,
    });
    let waits: Vec<(Pipe, Pipe)> = waits.collect();
    assert_eq!(waits, [(Pipe::V, Pipe::Mte2), (Pipe::Mte3, Pipe::V)]);
}

#[test]
fn a_barrier_of_all_pipes_holds_up_what_follows() {
    let (mut k, tile) = loaded();
    k.instr(Opcode::BarAll, []);
    double(&mut k, &tile);
    let slices = slices(&mut k, LaneKind::Vec(0));
    assert!(work(&slices, Pipe::V)[0].start >= work(&slices, Pipe::Mte2)[0].end);
}

#[test]
fn mutexes_order_lanes_and_free_tokens_let_producers_run_ahead() {
    let mut k = Kernel::new();
    let ws = k.workspace("ws", DType::Float, &[4, 64]);
    let tile = k.ub("tile", DType::Float, [4, 64]);
    let zero = k.float(0.0);
    k.instr(Opcode::Dup, [tile.clone().into(), zero.into()]);
    let mutex = k.mutex(MutexKind::VecToCube, 0, 1);
    let l1 = k.buffer("l1", DType::Float, [16, 64], a2lint_isa::Position::L1, 1);
    let l1 = k.whole(l1);
    let window = k.fixed_window(ws, &[(0, 4), (0, 64)]);
    k.times(2, |k, _| {
        k.method(Opcode::MutexLock, &mutex);
        k.instr(
            Opcode::UbToGmPad,
            [window.clone().into(), tile.clone().into()],
        );
        k.method(Opcode::MutexReady, &mutex);
        k.method(Opcode::MutexWait, &mutex);
        k.instr(Opcode::GmToL1Nz, [l1.clone().into(), window.clone().into()]);
        k.method(Opcode::MutexFree, &mutex);
    });
    let slices = all_slices(&mut k);
    let stores = work(&of_lane(&slices, LaneKind::Vec(0)), Pipe::Mte3);
    let loads = work(&of_lane(&slices, LaneKind::Cube), Pipe::Mte2);
    assert!(
        loads[0].start >= stores[0].end,
        "a tile is loaded once it is stored"
    );
    assert!(
        stores[1].start >= loads[0].start,
        "one token: the next store awaits the load"
    );
    assert!(loads[1].start >= stores[1].end);
}

#[test]
fn a_run_that_does_not_ask_has_no_costs() {
    struct Careless;
    impl Observer for Careless {
        fn spend(&mut self, _: &Site, _: &Expense) {
            panic!("no costs were asked for");
        }
    }
    let (mut k, tile) = loaded();
    double(&mut k, &tile);
    assert_eq!(
        k.run_with(&Options::default(), &mut Careless).end,
        End::Finished
    );
}
