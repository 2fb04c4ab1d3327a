//! Footprints of moves in the analysis, compared with the bytes that the simulator accesses: random moves whose
//! arguments are given, left out, constant or not, in both dialects.
//!
//! For matrices in L1, L0A, L0B and L0C the analysis has no footprint. For these, the test checks that nothing is
//! said to be accessed that is not. Their elements are tracked by the proof of `initialised`, which is compared with
//! launches here, too.
//!
//! `A2LINT_MOVES=20000` sets the number of moves, and `A2LINT_MOVES_FIRST` the first seed.

use std::collections::HashMap;

use super::prove::{Counts as Proved, compare};
use crate::fuzzing::mutate::Random;
use a2lint::analysis::{Analysis, Extent, KernelFacts, Linear, Places, RangeSet};
use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::ir::{Program, StmtId};
use a2lint::isa::{BLOCK_BYTES, Class, DST, DType, Position};
use a2lint::machine::{
    Access, Bindings, BoundLaunch, MemoryId, Observer, Options, Outcome, Rows, Site, Value,
    simulate,
};
use a2lint::prove::{Assumption, Proof, Proofs};
use a2lint::text::SourceText;

/// Numbers of compared items.
#[derive(Debug, Default)]
struct Counts {
    /// Moves that the simulator executes as they are.
    moves: u64,
    /// Operands in global memory.
    global: u64,
    /// Global operands with an exact footprint.
    exact_global: u64,
    /// Global operands without any footprint.
    unknown_global: u64,
    /// On-chip operands with a bound.
    local: u64,
    /// On-chip operands with an exact footprint.
    exact_local: u64,
    /// Operands in each on-chip memory, and those of them with a bound.
    by_memory: HashMap<&'static str, [u64; 2]>,
    /// Moves by name.
    by_name: HashMap<&'static str, u64>,
    /// Comparisons of proofs with launches.
    proved: Proved,
}

/// Generates a kernel with one move.
struct Author<'r> {
    random: &'r mut Random,
    is_ascriptor: bool,
    /// Whether numbers may be parameters.
    has_parameters: bool,
}

/// The shapes of both tensors.
const SHAPES: [&[i64]; 3] = [&[96], &[24, 48], &[3, 16, 32]];

impl Author<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn one_of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }

    /// Generates a number, or an expression of parameters of about that size.
    fn number(&mut self, choices: &[i64]) -> String {
        let plain = choices[self.below(choices.len())];
        match self.below(4) {
            0 if self.has_parameters => "A".to_owned(),
            1 if self.has_parameters => format!("A + {plain}"),
            2 if self.has_parameters => "B * 16".to_owned(),
            _ => plain.to_string(),
        }
    }

    /// Generates keyword arguments, each with a probability of about one half.
    fn keywords(&mut self, params: &[(&str, &[i64])]) -> String {
        let mut text = String::new();
        for (name, choices) in params {
            if self.below(2) == 0 {
                let value = self.number(choices);
                text += &format!(", {name}={value}");
            }
        }
        text
    }

    /// Generates a slice `a:b` of an axis.
    fn slice(&mut self, extent: i64, granule: i64) -> String {
        let start = granule * self.below((extent / granule) as usize) as i64;
        let most = ((extent - start) / granule).max(1) as usize;
        let span = match self.below(3) {
            0 if self.has_parameters => "A".to_owned(),
            _ => (granule * (1 + self.below(most) as i64)).to_string(),
        };
        let start = match self.below(3) {
            0 if self.has_parameters => "B * 16".to_owned(),
            _ => start.to_string(),
        };
        format!("{start}:{start} + {span}")
    }

    /// Generates a view of a global tensor with at most two slices.
    fn global(&mut self, name: &str, shape: &[i64]) -> String {
        let last = shape.len() - 1;
        let mut slices: Vec<usize> = match self.below(8) {
            0 if self.is_ascriptor && shape.len() < 3 => return name.to_owned(),
            1 => vec![last],
            2 => vec![self.below(shape.len())],
            _ => vec![last.saturating_sub(1), last],
        };
        slices.dedup();
        let mut axes = Vec::new();
        for (axis, &extent) in shape.iter().enumerate() {
            axes.push(match slices.contains(&axis) {
                true => self.slice(extent, if axis == last { 8 } else { 1 }),
                false => self.below(extent as usize).to_string(),
            });
        }
        format!("{name}[{}]", axes.join(", "))
    }

    /// Generates a view of an on-chip tensor of 32 by 64 elements.
    fn local(&mut self, name: &str, granule: i64) -> String {
        if self.below(3) == 0 {
            return name.to_owned();
        }
        let rows = self.slice(32, 16);
        let start = granule * self.below(3) as i64;
        format!("{name}[{rows}, {start}:{}]", start + granule)
    }

    fn kernel(&mut self, dtype: DType, shape: &[i64]) -> String {
        let (side, body) = self.body(dtype, shape);
        let (name, short) = match dtype {
            DType::Half => ("DT.half", "f16"),
            _ => ("DT.float", "f32"),
        };
        let body = body.replace("TYPE", name);
        // Numbers with bounds have footprints, too.
        let contract = match self.below(2) {
            0 => "# a2lint: assume(0 <= A <= 19, 0 <= B <= 3)\n",
            _ => "",
        };
        match self.is_ascriptor {
            true => {
                let shape: Vec<String> = shape.iter().map(i64::to_string).collect();
                let shape = format!("({},)", shape.join(", "));
                format!(
                    "from ascriptor.a2 import *\n\n{contract}@kernel(mode=\"{side}\", block_dim=1)\n\
                     def f(x: GM[{short}, {shape}], y: GM[{short}, {shape}], A: i32, B: i32):\n\
                     {body}    return y\n"
                )
            }
            false => format!(
                "from easyasc.a2 import *\n\n{contract}@kernel()\n\
                 def f(x: GMTensor, y: GMTensor, A: Var, B: Var):\n{body}    return y\n"
            ),
        }
    }

    fn body(&mut self, dtype: DType, shape: &[i64]) -> (&'static str, String) {
        match self.below(9) {
            0 | 1 => ("vec", self.load(dtype, shape)),
            2 | 3 => ("vec", self.store(dtype, shape)),
            4 => ("vec", self.copy(dtype)),
            5 => ("cube", self.load_matrix(shape)),
            6 | 7 => ("cube", self.drain(shape)),
            _ => ("cube", self.operands()),
        }
    }

    fn load(&mut self, dtype: DType, shape: &[i64]) -> String {
        let (dst, src) = (self.local("u", block(dtype)), self.global("x", shape));
        let given = self.keywords(&[
            ("n_burst", ROWS),
            ("burst_len_element", LENGTHS),
            ("src_stride_element", GAPS),
            ("dst_stride", BLOCKS),
        ]);
        format!(
            "{}    gm_to_ub_pad({dst}, {src}{given})\n",
            tensor("u", "UB", "TYPE")
        )
    }

    fn store(&mut self, dtype: DType, shape: &[i64]) -> String {
        let (dst, src) = (self.global("y", shape), self.local("u", block(dtype)));
        let given = self.keywords(&[
            ("n_burst", ROWS),
            ("burst_len_element", LENGTHS),
            ("src_stride", BLOCKS),
            ("dst_stride_element", GAPS),
        ]);
        let (tensor, scope) = (tensor("u", "UB", "TYPE"), self.scope());
        format!(
            "{tensor}    dup(u, 1.0)\n    bar_all()\n{scope}ub_to_gm_pad({dst}, {src}{given})\n"
        )
    }

    /// Generates an atomic scope for a store, or nothing.
    fn scope(&mut self) -> &'static str {
        match self.below(3) {
            0 => "    with atomic_add():\n        ",
            _ => "    ",
        }
    }

    fn copy(&mut self, dtype: DType) -> String {
        let (dst, src) = (self.local("u", block(dtype)), self.local("v", block(dtype)));
        let given = self.keywords(&[
            ("n_burst", ROWS),
            ("burst_len", BLOCKS),
            ("src_stride", BLOCKS),
            ("dst_stride", BLOCKS),
        ]);
        let tensors = tensor("u", "UB", "TYPE") + &tensor("v", "UB", "TYPE");
        format!("{tensors}    dup(v, 1.0)\n    bar_all()\n    ub_to_ub({dst}, {src}{given})\n")
    }

    fn load_matrix(&mut self, shape: &[i64]) -> String {
        let (dst, src) = (self.local("a", 16), self.global("x", shape));
        let given = self.keywords(&[
            ("M", MATRIX),
            ("N", MATRIX),
            ("N_src", PITCHES),
            ("M_dst", &[32, 16]),
        ]);
        format!(
            "{}    gm_to_l1_nd2nz({dst}, {src}{given})\n",
            tensor("a", "L1", "TYPE")
        )
    }

    fn drain(&mut self, shape: &[i64]) -> String {
        let (dst, src) = (self.global("y", shape), self.local("c", 16));
        let given = self.keywords(&[
            ("M", MATRIX),
            ("N", MATRIX),
            ("N_dst", PITCHES),
            ("M_src", &[32]),
        ]);
        let name = self.one_of(&["l0c_to_gm_nz2nd", "l0c_to_gm_nz2nd", "l0c_to_gm_nz2nz"]);
        let (tensor, scope) = (tensor("c", "L0C", "DT.float"), self.scope());
        format!("{tensor}{scope}{name}({dst}, {src}{given})\n")
    }

    /// Generates a move between memories of the cube.
    fn operands(&mut self) -> String {
        let operand = self.one_of(&["L0A", "L0B"]);
        let tensors = tensor("a", "L1", "DT.half")
            + &tensor("l", operand, "DT.half")
            + &tensor("c", "L0C", "DT.float");
        let extents = self.keywords(&[("m_dst", MATRIX), ("n_dst", &[16, 32])]);
        let published = self.keywords(&[("M", MATRIX), ("N", &[16, 32])]);
        let part = self.local("a", 16);
        format!(
            "{tensors}    set_constant_to_l1({part}, 0.0)\n    bar_all()\n    \
             l1_to_l0(l, {part}{extents})\n    bar_all()\n    l0c_to_l1({part}, c{published})\n"
        )
    }
}

const ROWS: &[i64] = &[0, 1, 2, 5, 8];
const LENGTHS: &[i64] = &[8, 16, 24, 32, 48, 5];
const GAPS: &[i64] = &[0, 8, 16, 40, 1];
const BLOCKS: &[i64] = &[0, 1, 2, 4];
const MATRIX: &[i64] = &[16, 8, 32, 5];
const PITCHES: &[i64] = &[48, 32, 96, 16];

/// Returns the number of elements in a block.
fn block(dtype: DType) -> i64 {
    BLOCK_BYTES / dtype.bytes_of(1)
}

fn tensor(name: &str, place: &str, dtype: &str) -> String {
    format!("    {name} = Tensor({dtype}, [32, 64], Position.{place})\n")
}

/// Records the accesses to memory that the simulator makes.
#[derive(Default)]
struct Watch {
    seen: Vec<(StmtId, usize, MemoryId, RangeSet, i64)>,
}

impl Observer for Watch {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn access(&mut self, site: &Site, access: &Access) {
        let bytes = bytes(access.rows);
        let seen = (site.stmt, access.operand, access.memory, bytes, access.base);
        if !self.seen.contains(&seen) {
            self.seen.push(seen);
        }
    }
}

fn bytes(rows: &[Rows]) -> RangeSet {
    let mut set = RangeSet::default();
    for (start, length) in rows.iter().flat_map(Rows::runs) {
        set.insert(start, start + length);
    }
    set
}

/// A kernel with the results of its analysis.
struct Case<'p> {
    program: &'p Program,
    analysis: &'p Analysis<'p>,
    places: Places,
    has_parameters: bool,
}

impl Case<'_> {
    fn compare(&self, launch: &BoundLaunch, counts: &mut Counts) -> Result<Outcome, String> {
        let mut watch = Watch::default();
        let outcome = simulate(self.program, launch, &Options::default(), &mut watch);
        if !outcome.faithful {
            return Ok(outcome);
        }
        for (stmt, operand, memory, touched, base) in &watch.seen {
            let instr = self.program.instruction(*stmt).ok_or("no statement")?;
            let name = instr.row().name;
            if !matches!(instr.row().class, Class::Move | Class::Fixpipe) {
                continue;
            }
            counts.moves += u64::from(*operand == DST);
            *counts.by_name.entry(name).or_default() += u64::from(*operand == DST);
            let at = (*stmt, *operand);
            let compared = match memory {
                MemoryId::Global(id) => self.global(at, touched, launch, id.index(), counts),
                MemoryId::Local(position) => self.local(at, touched, (*position, *base), counts),
            };
            compared.map_err(|problem| format!("{name} operand {operand}: {problem}"))?;
        }
        Ok(outcome)
    }

    fn local(
        &self,
        (stmt, operand): (StmtId, usize),
        touched: &RangeSet,
        (position, base): (Position, i64),
        counts: &mut Counts,
    ) -> Result<(), String> {
        let extent = self.analysis.extent(stmt, operand).ok_or("no extent")?;
        let touched = touched.clone().shifted(-base);
        let must = extent.footprint.must();
        if !must.minus(&touched).is_empty() {
            return Err(format!("it touches {touched:?}, and must touch {must:?}"));
        }
        let [all, known] = counts.by_memory.entry(position.name()).or_default();
        *all += 1;
        let Some(may) = extent.footprint.may() else {
            return Ok(());
        };
        *known += 1;
        counts.local += 1;
        // A store reads whole blocks, but the part after the row is not written anywhere.
        let mut reached = may.clone();
        if operand != DST {
            for (start, end) in may.iter() {
                reached.insert(start, (end + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES);
            }
        }
        if !touched.minus(&reached).is_empty() {
            return Err(format!("it touches {touched:?}, and may touch {may:?}"));
        }
        if extent.footprint.exact().is_some() {
            counts.exact_local += 1;
            if touched != reached {
                return Err(format!(
                    "it touches {touched:?}, exactly {reached:?} was said"
                ));
            }
        }
        Ok(())
    }

    fn global(
        &self,
        (stmt, operand): (StmtId, usize),
        touched: &RangeSet,
        launch: &BoundLaunch,
        tensor: usize,
        counts: &mut Counts,
    ) -> Result<(), String> {
        let window = self.analysis.global_window(stmt, operand);
        let (Some(window), Some(place)) = (window, self.places.at(stmt, operand)) else {
            // A tensor of unknown rank.
            return Ok(());
        };
        let Extent::Window(axes) = &place.extent else {
            return Err("no window".to_owned());
        };
        counts.global += 1;
        let tensor = &launch.globals[tensor];
        let extents = axes.iter().zip(&tensor.shape);
        let extents = extents.filter_map(|([.., extent], own)| Some((extent.clone()?, *own)));
        let extents: Vec<(Linear, i64)> = extents.collect();
        let axes = axes.iter().map(|[start, span, _]| {
            let value = |number: &Option<Linear>| self.value(number.as_ref()?, launch, &extents);
            Some([value(start)?, value(span)?])
        });
        let Some(axes) = axes.collect::<Option<Vec<[i64; 2]>>>() else {
            counts.unknown_global += 1;
            return Ok(());
        };
        let said = rectangle(&axes, &tensor.shape, tensor.dtype.bytes_of(1));
        let what = || {
            format!(
                "it touches {touched:?}, and {axes:?} of {:?} was said",
                tensor.shape
            )
        };
        if !touched.minus(&said).is_empty() {
            return Err(what());
        }
        if window.is_grid && !self.has_parameters {
            counts.exact_global += 1;
            if *touched != said {
                return Err(what() + ", exactly");
            }
        }
        Ok(())
    }

    /// Returns the value of a linear form of parameters and extents; `None` if it has other terms.
    fn value(
        &self,
        number: &Linear,
        launch: &BoundLaunch,
        extents: &[(Linear, i64)],
    ) -> Option<i64> {
        let mut sum = number.constant_part();
        for (symbol, factor) in number.terms() {
            let symbol = Linear::symbol(symbol);
            let mut parameters = launch.parameters.iter();
            let parameter = parameters.find_map(|(id, value)| {
                let is_it = self.places.parameter(*id).as_ref() == Some(&symbol);
                match value {
                    Value::Int(value) if is_it => Some(*value),
                    _ => None,
                }
            });
            let extent = extents.iter().find(|(extent, _)| *extent == symbol);
            sum += factor * parameter.or(extent.map(|(_, own)| *own))?;
        }
        Some(sum)
    }
}

/// Returns the bytes of a window.
fn rectangle(axes: &[[i64; 2]], shape: &[i64], size: i64) -> RangeSet {
    let mut set = RangeSet::default();
    let Some((last, outer)) = axes.split_last() else {
        return set;
    };
    let mut starts = vec![0];
    for (axis, [start, span]) in outer.iter().enumerate() {
        let stride: i64 = shape[axis + 1..].iter().product();
        let steps: Vec<i64> = (*start..start + span).map(|index| index * stride).collect();
        starts = starts
            .iter()
            .flat_map(|at| steps.iter().map(move |step| at + step))
            .collect();
    }
    for at in starts {
        set.insert((at + last[0]) * size, (at + last[0] + last[1]) * size);
    }
    set
}

fn launch(program: &Program, shape: &[i64], dtype: DType, values: [i64; 2]) -> Option<BoundLaunch> {
    let scalars = ["A", "B"].into_iter().zip(values);
    let bindings = Bindings {
        scalars: scalars
            .map(|(name, value)| (name.to_owned(), value as f64))
            .collect(),
        shapes: ["x", "y"]
            .map(|name| (name.to_owned(), shape.to_vec()))
            .into(),
        dtypes: ["x", "y"].map(|name| (name.to_owned(), dtype)).into(),
        cores: Some(2),
        ..Bindings::default()
    };
    BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 24).ok()
}

/// Whether the shapes that a proof assumes are the same in all launches, since no parameter is part of them.
fn holds_for_all(assuming: &[Assumption]) -> bool {
    let mut shapes = assuming.iter().filter_map(|it| it.text().split_once('['));
    shapes.all(|(_, extents)| !extents.contains(['A', 'B']))
}

/// Compares one random move.
fn try_one(seed: u64, counts: &mut Counts) -> Result<(), String> {
    let random = &mut Random::new(seed);
    let has_parameters = random.below(2) == 0;
    let dtype = [DType::Float, DType::Half][random.below(2)];
    let shape = SHAPES[(1 + random.below(4)) % 3];
    let mut author = Author {
        is_ascriptor: random.below(2) == 0,
        has_parameters,
        random,
    };
    let text = author.kernel(dtype, shape);
    let module = trace(&SourceText::new(text.as_str()));
    let Some(program) = module.programs.first() else {
        return Err(format!("no kernel\n{text}"));
    };
    let facts = KernelFacts::of(program);
    let wanted = program.instructions().into_iter().map(|(stmt, _)| stmt.id);
    let places = Places::of(program, facts.analysis(), &[], &wanted.collect());
    let case = Case {
        program,
        analysis: facts.analysis(),
        places,
        has_parameters,
    };
    let mut another = || {
        let values = [random.below(20) as i64, random.below(4) as i64];
        launch(program, shape, dtype, values)
    };
    let bounds = [another(), another(), another()];
    let proofs = Proofs::of(&facts, bounds[..1].iter().flatten());
    for bound in bounds.iter().flatten() {
        let problem =
            |problem: String| format!("seed {seed}: {problem}\n{:?}\n{text}", bound.parameters);
        let outcome = case.compare(bound, counts).map_err(problem)?;
        let is_assumed = |property| match proofs.get(property) {
            Proof::Holds { assuming, .. } => holds_for_all(assuming),
            Proof::Open { .. } => false,
        };
        compare(&proofs, bound, &outcome, is_assumed, &mut counts.proved).map_err(problem)?;
    }
    Ok(())
}

#[test]
fn moves_touch_what_is_said_of_them() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let moves = number("A2LINT_MOVES").unwrap_or(250);
    let first = number("A2LINT_MOVES_FIRST").unwrap_or(1);
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for seed in first..first + moves {
        failures.extend(try_one(seed, &mut counts).err());
        assert!(failures.len() < 5, "{}", failures.join("\n\n"));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    println!("{moves} kernels: {counts:?}");
    for (what, found, least) in [
        ("moves", counts.moves, moves / 2),
        ("global", counts.global, moves / 3),
        ("exact global", counts.exact_global, moves / 10),
        ("local", counts.local, moves / 4),
        ("exact local", counts.exact_local, moves / 10),
    ] {
        assert!(found > least, "{what}: {counts:?}");
    }
    let known = counts.global - counts.unknown_global;
    assert!(known > moves / 2, "{counts:?}");
    assert!(counts.local > counts.exact_local + moves / 20, "{counts:?}");
    assert!(counts.by_name.len() >= 9, "{counts:?}");
    for memory in [Position::L1, Position::L0A, Position::L0B, Position::L0C] {
        let [all, _] = counts.by_memory[memory.name()];
        assert!(all > moves / 10, "{memory}: {counts:?}");
    }
}
