use std::ops::ControlFlow;

use super::kernel::{Kernel, floats};
use crate::{
    Access, End, FindingKind, Inspection, LaneKind, Observer, Options, Route, Site, SyncOp, Token,
    Waiting,
};
use a2lint_ir::{MutexKind, SpecialScalar, StmtId};
use a2lint_isa::{DType, Opcode, Pipe, Position};

/// The cube publishes a tile per iteration through a workspace slot; vec lanes add it up.
fn ping_pong(depth: i64, with_free: bool) -> (Kernel, a2lint_ir::GlobalId) {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[16, 16]);
    let y = k.output("y", DType::Float, &[2, 8]);
    k.bind_floats("x", &[1.0; 256]);
    let workspace = k.workspace("ws", DType::Float, &[2, 16, 16]);
    let l1 = k.buffer("l1", DType::Float, [16, 16], Position::L1, 1);
    let l1 = k.whole(l1);
    let l0c = k.buffer("l0c", DType::Float, [16, 16], Position::L0C, 1);
    let l0c = k.whole(l0c);
    let (tile, sum) = (
        k.ub("tile", DType::Float, [1, 64]),
        k.ub("sum", DType::Float, [1, 64]),
    );
    let row = k.slice(&tile, [(0, 1), (0, 8)]);
    let zero = k.float(0.0);
    k.instr(Opcode::Dup, [sum.clone().into(), zero.into()]);
    k.instr(Opcode::Dup, [tile.clone().into(), zero.into()]);
    let mutex = k.mutex(MutexKind::CubeToVec, 0, depth);
    let from = k.fixed_window(x, &[(0, 16), (0, 16)]);
    k.instr(Opcode::GmToL1Nz, [l1.clone().into(), from.into()]);
    let sub_block = k.special(SpecialScalar::SubBlockIdx);
    k.times(5, |k, i| {
        let (two, one, eight, sixteen, none) = (k.int(2), k.int(1), k.int(8), k.int(16), k.int(0));
        let slot = k.op(a2lint_ir::BinaryOp::Mod, i, two);
        k.instr(
            Opcode::Matmul,
            [l0c.clone().into(), l1.clone().into(), l1.clone().into()],
        );
        k.method(Opcode::MutexLock, &mutex);
        let mut to = k.window(workspace, &[(slot, one), (none, sixteen), (none, sixteen)]);
        to.axes[0].is_slice = false;
        k.instr(Opcode::L0cToGmNd, [to.into(), l0c.clone().into()]);
        k.method(Opcode::MutexReady, &mutex);
        k.method(Opcode::MutexWait, &mutex);
        let mut from = k.window(workspace, &[(slot, one), (sub_block, one), (none, eight)]);
        from.axes[0].is_slice = false;
        k.instr(Opcode::GmToUbPad, [row.clone().into(), from.into()]);
        if with_free {
            k.method(Opcode::MutexFree, &mutex);
        }
        k.instr(
            Opcode::Add,
            [sum.clone().into(), sum.clone().into(), tile.clone().into()],
        );
    });
    let (one, eight, none) = (k.int(1), k.int(8), k.int(0));
    let to = k.window(y, &[(sub_block, one), (none, eight)]);
    let first = k.slice(&sum, [(0, 1), (0, 8)]);
    k.instr(Opcode::UbToGmPad, [to.into(), first.into()]);
    (k, y)
}

#[test]
fn a_mutex_hands_tiles_back_and_forth() {
    for depth in [1, 2] {
        let (mut k, y) = ping_pong(depth, true);
        let outcome = k.run();
        assert_eq!(outcome.end, End::Finished);
        assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
        assert_eq!(floats(&outcome, y), [80.0; 16]);
    }
}

#[test]
fn a_deadlock_names_every_lane_and_what_it_waits_for() {
    let (mut k, _) = ping_pong(2, false);
    let outcome = k.run();
    let End::Deadlock(deadlock) = &outcome.end else {
        panic!("{:?}", outcome.end)
    };
    let lanes: Vec<LaneKind> = deadlock.lanes.iter().map(|lane| lane.lane.kind).collect();
    assert_eq!(lanes, LaneKind::ALL);
    let routes: Vec<Waiting> = deadlock.lanes.iter().map(|lane| lane.waiting).collect();
    assert_eq!(
        routes[0],
        Waiting::Flag {
            route: Route::VecToCube,
            id: 0
        }
    );
    assert_eq!(
        routes[1],
        Waiting::Flag {
            route: Route::CubeToVec,
            id: 0
        }
    );
    assert!(deadlock.lanes.iter().all(|lane| lane.stmt.is_some()));
    assert_eq!(
        deadlock.lines(&k.program)[0],
        "core 0 cube waits for both vec lanes on flag 0 (mutex `m0`)"
    );
}

#[test]
fn the_cube_waits_for_both_vec_lanes() {
    let mut k = Kernel::new();
    let sub_block = k.special(SpecialScalar::SubBlockIdx);
    let flag = k.int(3);
    k.when(sub_block, |k| {
        k.instr(Opcode::VecReady, [flag.into()]);
    });
    let wait = k.instr(Opcode::WaitVec, [flag.into()]);
    let End::Deadlock(deadlock) = k.run().end else {
        panic!()
    };
    assert_eq!(deadlock.lanes.len(), 1);
    assert_eq!(deadlock.lanes[0].stmt, Some(wait));
}

#[test]
fn cores_meet_at_collective_flags() {
    let mut k = Kernel::new();
    k.bindings.cores = Some(3);
    let y = k.output("y", DType::Float, &[6, 8]);
    let ws = k.workspace("ws", DType::Float, &[6, 8]);
    let tile = k.ub("tile", DType::Float, [1, 8]);
    let (lane, one, zero, eight) = (
        k.special(SpecialScalar::VecIdx),
        k.int(1),
        k.int(0),
        k.int(8),
    );
    k.instr(Opcode::Dup, [tile.clone().into(), lane.into()]);
    let to = k.window(ws, &[(lane, one), (zero, eight)]);
    k.instr(Opcode::UbToGmPad, [to.into(), tile.clone().into()]);
    k.instr(Opcode::AllVecReady, [zero.into()]);
    k.instr(Opcode::AllVecWait, [zero.into()]);
    let five = k.int(5);
    let mirrored = k.op(a2lint_ir::BinaryOp::Sub, five, lane);
    let from = k.window(ws, &[(mirrored, one), (zero, eight)]);
    k.instr(Opcode::GmToUbPad, [tile.clone().into(), from.into()]);
    let to = k.window(y, &[(lane, one), (zero, eight)]);
    k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]);
    let outcome = k.run();
    assert_eq!(outcome.end, End::Finished);
    let expected: Vec<f32> = (0..48).map(|index| (5 - index / 8) as f32).collect();
    assert_eq!(floats(&outcome, y), expected);
}

#[test]
fn a_stalled_pipe_catches_up_when_the_event_arrives() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[1, 64]);
    let y = k.output("y", DType::Float, &[1, 64]);
    k.bind_floats("x", &[3.0; 64]);
    let (a, b) = (
        k.ub("a", DType::Float, [1, 64]),
        k.ub("b", DType::Float, [1, 64]),
    );
    let loaded = k.event(Pipe::Mte2, Pipe::V, 1, false);
    let done = k.event(Pipe::V, Pipe::Mte3, 1, false);
    let (from, to) = (
        k.fixed_window(x, &[(0, 1), (0, 64)]),
        k.fixed_window(y, &[(0, 1), (0, 64)]),
    );
    k.method(Opcode::EventWait, &loaded);
    k.instr(
        Opcode::Add,
        [b.clone().into(), a.clone().into(), a.clone().into()],
    );
    k.method(Opcode::EventSet, &done);
    k.method(Opcode::EventWait, &done);
    k.instr(Opcode::UbToGmPad, [to.into(), b.into()]);
    k.instr(Opcode::GmToUbPad, [a.into(), from.into()]);
    k.method(Opcode::EventSet, &loaded);
    let outcome = k.run();
    assert_eq!(outcome.end, End::Finished);
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    assert_eq!(floats(&outcome, y), [6.0; 64]);
}

#[test]
fn an_event_that_never_comes_is_a_deadlock_and_a_second_set_a_finding() {
    let mut k = Kernel::new();
    let event = k.event(Pipe::Mte2, Pipe::V, 2, false);
    let wait = k.method(Opcode::EventWait, &event);
    let End::Deadlock(deadlock) = k.run().end else {
        panic!()
    };
    assert_eq!(deadlock.lanes.len(), 2);
    assert!(matches!(
        deadlock.lanes[0].waiting,
        Waiting::Pipe { pipe: Pipe::V, stmt, .. } if stmt == wait
    ));

    let mut k = Kernel::new();
    let event = k.event(Pipe::Mte2, Pipe::V, 2, true);
    k.method(Opcode::EventSet, &event);
    let outcome = k.run();
    assert!(matches!(
        outcome.findings[0].kind,
        FindingKind::RepeatedSet(_)
    ));
}

#[derive(Default)]
struct Recorder {
    watched: Option<StmtId>,
    stop_at: Option<u64>,
    accesses: Vec<String>,
    tokens: Vec<Token>,
    seen: Vec<(u64, f64, f64)>,
    view: Option<a2lint_ir::View>,
    before: f64,
}

impl Observer for Recorder {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn watches(&self, stmt: StmtId) -> bool {
        self.watched == Some(stmt)
    }

    fn access(&mut self, site: &Site, access: &Access) {
        if site.lane.kind == LaneKind::Vec(0)
            && let Some(rows) = access.rows.first()
        {
            let pipe = access.pipe;
            let arrow = if access.write { "<-" } else { "->" };
            self.accesses.push(format!(
                "{pipe} {arrow} {}+{}x{}",
                rows.start, rows.length, rows.count
            ));
        }
    }

    fn synchronise(&mut self, _: &Site, operation: &SyncOp) {
        if let SyncOp::Set { token, .. } = operation {
            self.tokens.push(*token);
        }
    }

    fn before(&mut self, _: &Site, _: u64, inspection: &mut Inspection) {
        self.before = inspection.view(self.view.as_ref().unwrap()).unwrap().values[0];
    }

    fn after(
        &mut self,
        site: &Site,
        execution: u64,
        inspection: &mut Inspection,
    ) -> ControlFlow<()> {
        let after = inspection.view(self.view.as_ref().unwrap()).unwrap().values[0];
        if site.lane.kind == LaneKind::Vec(0) {
            self.seen.push((execution, self.before, after));
        }
        match self.stop_at == Some(execution) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn an_observer_sees_accesses_and_values_and_can_stop() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[4, 8]);
    k.bind_floats("x", &[1.0; 32]);
    let tile = k.ub("tile", DType::Float, [4, 16]);
    let part = k.slice(&tile, [(0, 4), (0, 8)]);
    let from = k.fixed_window(x, &[(0, 4), (0, 8)]);
    k.instr(Opcode::GmToUbPad, [part.into(), from.into()]);
    let event = k.event(Pipe::Mte2, Pipe::V, 1, false);
    k.method(Opcode::EventSet, &event);
    k.method(Opcode::EventWait, &event);
    let first = k.slice(&tile, [(0, 1), (0, 8)]);
    let one = k.float(1.0);
    let mut recorder = Recorder {
        stop_at: Some(2),
        ..Recorder::default()
    };
    k.times(10, |k, _| {
        recorder.watched = Some(k.instr(
            Opcode::Adds,
            [tile.clone().into(), tile.clone().into(), one.into()],
        ));
    });
    recorder.view = Some(a2lint_ir::View::Local(first));
    let outcome = k.run_with(&Options::default(), &mut recorder);
    assert_eq!(outcome.end, End::Stopped);
    assert_eq!(recorder.seen, [(0, 1.0, 2.0), (1, 2.0, 3.0), (2, 3.0, 4.0)]);
    assert_eq!(
        recorder.accesses[..4],
        [
            "MTE2 <- 0+32x4",
            "MTE2 -> 0+32x4",
            "V <- 0+256x1",
            "V -> 0+256x1"
        ]
    );
    assert_eq!(recorder.tokens.len(), 1);
}
