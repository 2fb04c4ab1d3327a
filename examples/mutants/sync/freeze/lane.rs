//! The dependencies that delay the pipes of a lane: tokens, barriers, and the handshakes of `auto_sync`.

use std::collections::{BTreeMap, HashMap, VecDeque};

use a2lint::ir::StmtId;
use a2lint::ir::toolchain::AutoSync;
use a2lint::isa::Pipe;
use a2lint::machine::{LaneId, MemoryId, Rows, Token};
use a2lint::sync::{AutoSyncCoverage, Key, Message, Pair, Use};

/// Number of machine words in a set of frozen instructions.
pub const WORDS: usize = 16;
/// Number of pipes of a lane.
const PIPES: usize = Pipe::ALL.len();

/// The set of frozen instructions that delay an instruction, pipe or token.
#[derive(Clone, Copy, Default)]
pub struct Held([u64; WORDS]);

impl Held {
    /// Adds the instructions of another set.
    pub fn join(&mut self, other: &Held) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }

    /// Adds an instruction.
    pub fn add(&mut self, frozen: usize) {
        self.0[frozen / 64] |= 1 << (frozen % 64);
    }

    /// Whether the set contains an instruction.
    pub fn has(&self, frozen: usize) -> bool {
        self.0[frozen / 64] >> (frozen % 64) & 1 != 0
    }
}

/// An access of the current instruction.
#[derive(Clone)]
pub struct Operand {
    /// The pipe that makes the access.
    pub pipe: Pipe,
    /// The memory, and the lane that it belongs to.
    pub place: (MemoryId, Option<LaneId>),
    /// The `auto_sync` uses of the access.
    pub uses: Vec<Use>,
    /// Whether the access writes.
    pub write: bool,
    /// Whether the access is an atomic update.
    pub atomic: bool,
    /// The accessed bytes.
    pub rows: Vec<Rows>,
}

/// The state of a lane.
#[derive(Default)]
pub struct Lane {
    /// Instructions that delay the scalar unit, and so everything that is issued later.
    issue: Held,
    /// Instructions that delay the next instruction of each pipe.
    gates: [Held; PIPES],
    /// Instructions that delay the completion of the instructions issued to each pipe.
    pending: [Held; PIPES],
    /// The set events, with the instructions that delay them.
    pub events: BTreeMap<Token, VecDeque<Held>>,
    region: Option<Region>,
    /// Operands of the vector instructions since the last V barrier, with the region of each.
    unbarred: Vec<(Option<StmtId>, Operand)>,
}

/// The outermost `auto_sync` region, or all regions if the toolchain merges them.
struct Region {
    stmt: StmtId,
    /// Nesting depth of open regions.
    depth: u32,
    said: HashMap<(Pair, Key, Message), Held>,
}

impl Lane {
    /// Enters a region.
    pub fn enter(&mut self, stmt: StmtId) {
        let region = self.region.get_or_insert_with(|| Region {
            stmt,
            depth: 0,
            said: HashMap::new(),
        });
        region.depth += 1;
    }

    /// Leaves a region.
    pub fn leave(&mut self, auto_sync: &AutoSync) {
        let Some(region) = &mut self.region else {
            return;
        };
        region.depth -= 1;
        if region.depth == 0 && !auto_sync.joins_regions {
            self.region = None;
        }
    }

    fn open_region(&self) -> Option<&Region> {
        self.region.as_ref().filter(|region| region.depth > 0)
    }

    /// Inserts a barrier before a vector instruction that accesses the data of an earlier one in the same region, or
    /// anywhere if the compiler inserts barriers everywhere.
    pub fn separate(&mut self, operands: &[&Operand], auto_sync: &AutoSync) {
        let region = self.open_region().map(|region| region.stmt);
        if region.is_none() && !auto_sync.bars_everywhere() {
            return;
        }
        let meets = |(at, old): &(Option<StmtId>, Operand)| {
            let is_near = auto_sync.bars_everywhere() || *at == region;
            let same = |new: &&&Operand| {
                new.place == old.place
                    && (new.write || old.write)
                    && share_a_byte(&new.rows, &old.rows)
            };
            is_near && operands.iter().any(|new| same(&new))
        };
        if self.unbarred.iter().any(meets) {
            self.bar(Pipe::V);
        }
        let own = operands.iter().map(|&operand| (region, operand.clone()));
        self.unbarred.extend(own);
    }

    /// Executes a barrier of one pipe, or of all pipes.
    pub fn bar(&mut self, pipe: Pipe) {
        let done = self.done(pipe);
        self.hold(pipe, &done);
        if matches!(pipe, Pipe::V | Pipe::All) {
            self.unbarred.clear();
        }
    }

    /// Returns the instructions that keep the next instruction of a pipe from beginning.
    pub fn begin(
        &mut self,
        pipe: Pipe,
        operands: &[&Operand],
        handed_over: Held,
        touched: &AutoSyncCoverage,
    ) -> Held {
        let mut held = self.gates[pipe as usize];
        held.join(&self.issue);
        held.join(&handed_over);
        if let Some(region) = self.open_region() {
            let uses = operands.iter().flat_map(|operand| &operand.uses);
            uses.for_each(|used| region.hold_up(used, touched, &mut held));
        }
        // A pipe begins its instructions in order, so later ones wait as well.
        self.gates[pipe as usize] = held;
        held
    }

    /// Ends the instruction that began last.
    pub fn end(
        &mut self,
        pipe: Pipe,
        operands: &[&Operand],
        end: Held,
        touched: &AutoSyncCoverage,
    ) {
        self.pending[pipe as usize].join(&end);
        if pipe == Pipe::S {
            self.issue.join(&end);
        }
        let done = self.pending[pipe as usize];
        let open = self.region.as_mut().filter(|region| region.depth > 0);
        if let Some(region) = open {
            let uses = operands.iter().flat_map(|operand| &operand.uses);
            uses.for_each(|used| region.pass(used, touched, done));
        }
    }

    /// Returns the instructions that delay the completion of everything issued to a pipe.
    pub fn done(&self, pipe: Pipe) -> Held {
        let mut done = self.issue;
        for &other in Pipe::ALL
            .iter()
            .filter(|&&other| pipe == Pipe::All || other == pipe)
        {
            done.join(&self.pending[other as usize]);
            done.join(&self.gates[other as usize]);
        }
        done
    }

    /// Delays what a pipe begins from now on.
    pub fn hold(&mut self, pipe: Pipe, held: &Held) {
        match pipe {
            Pipe::S | Pipe::All => self.issue.join(held),
            pipe => self.gates[pipe as usize].join(held),
        }
    }
}

impl Region {
    /// Adds the instructions that a use has to wait for.
    fn hold_up(&self, used: &Use, touched: &AutoSyncCoverage, held: &mut Held) {
        for &pair in self.covered(used, touched) {
            for message in [Message::Ready, Message::Free] {
                let said = self.said.get(&(pair, used.key, message));
                let said = said.filter(|_| used.awaits(touched.auto_sync, pair, message));
                said.into_iter().for_each(|said| held.join(said));
            }
        }
    }

    /// Publishes the completion of a use to those that wait for it.
    fn pass(&mut self, used: &Use, touched: &AutoSyncCoverage, done: Held) {
        for &pair in touched.auto_sync.pairs {
            if let Some(message) = used.sends(pair) {
                self.said.insert((pair, used.key, message), done);
            }
        }
    }

    fn covered<'t>(
        &self,
        used: &Use,
        touched: &'t AutoSyncCoverage,
    ) -> impl Iterator<Item = &'t Pair> {
        let all = touched.auto_sync.pairs.iter();
        all.filter(|&&pair| touched.covers(pair, self.stmt, used.key.0))
    }
}

/// Whether two sets of rows share a byte.
pub fn share_a_byte(a: &[Rows], b: &[Rows]) -> bool {
    let bounds = |rows: &[Rows]| {
        let all = rows.iter().filter_map(Rows::bounds);
        all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    };
    let (Some(a_bounds), Some(b_bounds)) = (bounds(a), bounds(b)) else {
        return false;
    };
    if a_bounds.1 <= b_bounds.0 || b_bounds.1 <= a_bounds.0 {
        return false;
    }
    let runs = |rows: &[Rows]| {
        let mut runs: Vec<(i64, i64)> = rows.iter().flat_map(Rows::runs).collect();
        runs.retain(|run| run.1 > 0);
        runs.sort();
        runs
    };
    let (a, b) = (runs(a), runs(b));
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x.0 + x.1 <= y.0 {
            i += 1;
        } else if y.0 + y.1 <= x.0 {
            j += 1;
        } else {
            return true;
        }
    }
    false
}
