//! Whatever the machine touches lies inside of what the analysis says may be touched, on kernels
//! that are right and on random ones.

mod common;

use std::fmt::Write;

use a2lint::analysis::{Analysis, OperandExtent, RangeSet};
use a2lint::device::Device;
use a2lint::frontend::easyasc::trace;
use a2lint::ir::{Instr, Launch, MemoryMap, Module, Program, Stmt, StmtId, StmtKind};
use a2lint::isa::{Class, DType, Position};
use a2lint::machine::{
    Access, Bindings, BoundLaunch, End, MemoryId, Observer, Options, Rows, Site, simulate,
};
use a2lint::text::SourceText;
use common::Random;

/// Compares accesses to UB with the analysis.
struct Watch<'p> {
    analysis: &'p Analysis<'p>,
    memory: MemoryMap,
    statements: Vec<Option<(&'p Stmt, &'p Instr)>>,
    compared: u64,
    /// Of them, those whose numbers are not constant.
    inexact: u64,
    problems: Vec<String>,
}

impl<'p> Watch<'p> {
    fn new(program: &'p Program, analysis: &'p Analysis<'p>) -> Watch<'p> {
        let mut statements = vec![None; program.stmt_count as usize + 1];
        program.walk(&mut |stmt| {
            if let StmtKind::Instr(instr) = &stmt.kind {
                statements[stmt.id.index()] = Some((stmt, instr));
            }
        });
        Watch {
            analysis,
            memory: MemoryMap::of(program),
            statements,
            compared: 0,
            inexact: 0,
            problems: Vec::new(),
        }
    }

    fn compare(&mut self, stmt: StmtId, iterations: &[i64], access: &Access) -> Option<()> {
        let (stmt, instr) = self.statements[stmt.index()]?;
        let view = instr.local(access.operand)?;
        let extent = self.analysis.extent(stmt.id, access.operand)?;
        let touched = bytes(access.rows);
        let placement = self.memory.get(view.buffer);
        let slot_bytes = placement.slot_bytes?;
        let first_pass = iterations.iter().all(|&iteration| iteration == 0);
        let slots = match first_pass {
            true => extent.first_slots,
            false => extent.slots,
        };
        let base = placement.slot_address(0)?;
        let fits = slots
            .iter()
            .any(|slot| fits(extent, &touched, base + i64::from(slot) * slot_bytes, instr));
        self.compared += 1;
        self.inexact += u64::from(extent.footprint.exact().is_none());
        if !fits && self.problems.len() < 5 {
            self.problems.push(format!(
                "{} operand {} in iteration {iterations:?} touches {touched:?} from {base}, \
                 known: {extent:?}",
                instr.row().name,
                access.operand
            ));
        }
        Some(())
    }
}

/// Whether touched bytes are what is known of an operand whose slot starts at `base`.
fn fits(extent: &OperandExtent, touched: &RangeSet, base: i64, instr: &Instr) -> bool {
    let inside = extent
        .footprint
        .may()
        .is_none_or(|may| touched.minus(&may.clone().shifted(base)).is_empty());
    // A vector instruction may have masked lanes, and reads of GM that fail move nothing.
    let moves = instr.row().class == Class::Move;
    let must = extent.footprint.must().clone().shifted(base);
    inside && (!moves || must.minus(touched).is_empty())
}

fn bytes(rows: &[Rows]) -> RangeSet {
    let mut set = RangeSet::default();
    for rows in rows {
        for row in 0..rows.count {
            let start = rows.start + row * rows.pitch;
            set.insert(start, start + rows.length);
        }
    }
    set
}

impl Observer for Watch<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn access(&mut self, site: &Site, access: &Access) {
        if access.memory == MemoryId::Local(Position::Ub) {
            self.compare(site.stmt, site.iterations, access);
        }
    }
}

/// Runs a launch; the numbers of compared and of inexact accesses.
fn run(program: &Program, launch: &BoundLaunch, name: &str) -> (u64, u64) {
    let analysis = Analysis::of(program);
    let mut watch = Watch::new(program, &analysis);
    let options = Options {
        max_instructions: 20_000,
        ..Options::default()
    };
    let outcome = simulate(program, launch, &options, &mut watch);
    let stuck = matches!(outcome.end, End::Deadlock(_));
    assert!(!stuck, "{name}: {:?}", outcome.end);
    let problems = watch.problems.join("\n");
    assert!(problems.is_empty(), "{name}:\n{problems}");
    (watch.compared, watch.inexact)
}

fn bind(
    module: &Module,
    program: &Program,
    launch: Option<&Launch>,
    bindings: &Bindings,
) -> Option<BoundLaunch> {
    let device = Device::default();
    BoundLaunch::bind(program, launch, &module.launches, bindings, device, 1 << 28).ok()
}

#[test]
fn clean_kernels_touch_what_the_analysis_says() {
    let (mut compared, mut inexact) = (0, 0);
    let few_cores = Bindings {
        cores: Some(2),
        ..Bindings::default()
    };
    for path in common::files(&common::root().join("tests/kernels"), "py") {
        let module = trace(&SourceText::new(common::read(&path)));
        for launch in &module.launches {
            let mut programs = module.programs.iter();
            let Some(program) = programs.find(|program| program.name == launch.kernel) else {
                continue;
            };
            let Some(bound) = bind(&module, program, Some(launch), &few_cores) else {
                continue;
            };
            let name = format!("{} {:?}", launch.kernel, launch.scalars);
            let counts = run(program, &bound, &name);
            compared += counts.0;
            inexact += counts.1;
        }
    }
    assert!(compared > 5_000, "{compared} accesses");
    assert!(inexact > 500, "{inexact} inexact accesses");
}

/// Python text of random kernels: loads, stores and arithmetic on slices whose bounds, slots and
/// repeats come from scalars that loops and branches change.
struct Author {
    random: Random,
    text: String,
    scalars: usize,
}

impl Author {
    fn write(seed: u64) -> String {
        let mut author = Author {
            random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            text: String::from(
                "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
                 def random_kernel(x: GMTensor, y: GMTensor, N: Var, K: Var):\n    \
                 a = DBuff(DT.float, [32, 64], Position.UB)\n    \
                 b = QBuff(DT.float, [32, 64], Position.UB)\n    \
                 c = Tensor(DT.float, [32, 128], Position.UB)\n    \
                 s0 = Var(0)\n    s1 = Var(1)\n    s2 = Var(N)\n",
            ),
            scalars: 3,
        };
        author.block(1, 3);
        author.text.push_str("    return y\n");
        author.text
    }

    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.random.below(choices.len())]
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(depth));
    }

    fn scalar(&mut self) -> String {
        format!("s{}", self.random.below(self.scalars))
    }

    fn value(&mut self) -> String {
        let (a, b) = (self.scalar(), self.scalar());
        match self.random.below(9) {
            0 => format!("{a} + {b}"),
            1 => format!("{a} - {b}"),
            2 => format!("Min({a}, {})", 1 + self.random.below(40)),
            3 => format!("Max({a}, {b})"),
            4 => format!("CeilDiv({a}, {})", 1 + self.random.below(32)),
            5 => format!("var_mod({a}, {})", 1 + self.random.below(5)),
            6 => format!("{a} * {}", self.random.below(9)),
            7 => format!("GetSubBlockIdx() * {}", self.random.below(17)),
            _ => format!("{}", self.random.below(34)),
        }
    }

    /// A number of rows from 0 to 32, mostly.
    fn rows(&mut self) -> String {
        let scalar = self.scalar();
        match self.random.below(4) {
            0 => "32".into(),
            1 => format!("Max(Min({scalar}, 32), 0)"),
            2 => format!("Min(32, {scalar})"),
            _ => format!("var_mod({scalar}, 33)"),
        }
    }

    fn tile(&mut self) -> String {
        let slot = self.scalar();
        match self.random.below(3) {
            0 => format!("a[{slot}]"),
            1 => format!("b[2 * {slot} + {}]", self.random.below(2)),
            _ => format!("b[var_mod({slot}, 4)]"),
        }
    }

    fn block(&mut self, depth: usize, nesting: usize) {
        for _ in 0..2 + self.random.below(5) {
            self.statement(depth, nesting);
        }
    }

    fn statement(&mut self, depth: usize, nesting: usize) {
        let (rows, tile, other, scalar) = (self.rows(), self.tile(), self.tile(), self.scalar());
        let value = self.value();
        match self.random.below(if nesting > 0 { 12 } else { 9 }) {
            0 => self.line(
                depth,
                &format!("{tile}[0:{rows}, 0:64] <<= x[0:{rows}, 0:64]"),
            ),
            1 => self.line(
                depth,
                &format!("y[0:{rows}, 0:64] <<= {tile}[0:{rows}, 0:64]"),
            ),
            2 => self.line(
                depth,
                &format!("c[0:{rows}, 0:{scalar}] <<= x[0:{rows}, 0:{scalar}]"),
            ),
            3 => self.line(depth, &format!("add({tile}, {tile}, {other})")),
            4 => self.line(
                depth,
                &format!("exp({tile}[0:{rows}, 0:64], {other}[0:{rows}, 0:64])"),
            ),
            5 => self.line(depth, &format!("dup({tile}, 0.0, count={rows})")),
            6 => {
                let op = self.pick(&["+=", "<<="]);
                self.line(depth, &format!("{scalar} {op} {value}"));
            }
            7 => {
                let step = self.random.below(3);
                self.line(depth, &format!("{scalar} += {step}"));
            }
            8 => {
                let at = format!("var_mod(Max({scalar}, 0), 32)");
                self.line(depth, &format!("r{depth} = Var({at})"));
                let row = format!("r{depth}:r{depth} + 1");
                self.line(
                    depth,
                    &format!("muls(c[{row}, 0:64], c[{row}, 64:128], 2.0)"),
                );
            }
            9 => {
                let condition = self.pick(&["<", ">=", "=="]);
                let bound = self.random.below(30);
                self.line(depth, &format!("if {scalar} {condition} {bound}:"));
                self.block(depth + 1, nesting - 1);
                if self.random.below(2) == 0 {
                    self.line(depth, "else:");
                    self.block(depth + 1, nesting - 1);
                }
            }
            _ => {
                let stop = self.pick(&["K", "3", "CeilDiv(N, 32)", "Min(s0, 4)"]);
                self.line(depth, &format!("for i{depth} in range({stop}):"));
                let counter = self.scalar();
                self.block(depth + 1, nesting - 1);
                self.line(depth + 1, &format!("{counter} += 1"));
            }
        }
    }
}

#[test]
fn random_kernels_touch_what_the_analysis_says() {
    let (mut compared, mut inexact, mut ran) = (0, 0, 0);
    for seed in 1..=80 {
        let text = Author::write(seed);
        let module = trace(&SourceText::new(text.as_str()));
        let Some(program) = module.programs.first() else {
            continue;
        };
        for (n, k) in [(0, 1), (5, 2), (32, 3), (77, 2)] {
            let bindings = Bindings {
                scalars: vec![("N".into(), f64::from(n)), ("K".into(), f64::from(k))],
                shapes: ["x", "y"].map(|name| (name.into(), vec![64, 128])).into(),
                dtypes: ["x", "y"].map(|name| (name.into(), DType::Float)).into(),
                cores: Some(2),
                ..Bindings::default()
            };
            let Some(bound) = bind(&module, program, None, &bindings) else {
                continue;
            };
            let counts = run(
                program,
                &bound,
                &format!("seed {seed}, N={n}, K={k}:\n{text}"),
            );
            compared += counts.0;
            inexact += counts.1;
            ran += 1;
        }
    }
    assert!(ran > 150, "{ran} runs");
    assert!(compared > 10_000, "{compared} accesses");
    assert!(inexact > 500, "{inexact} inexact accesses");
}
