//! Proofs of AscendC kernels: which properties are proved of each, and random launches within the preconditions, which
//! violate none of these.
//!
//! `UPDATE_TABLE=1 cargo test --test it ascendc_proofs` writes the table.

use std::fmt::Write;

use super::prove::{Counts, compare};
use crate::fuzzing::mutate::Random;
use a2lint::analysis::{KernelFacts, Workers};
use a2lint::check::{Settings, check, trace_ascendc};
use a2lint::device::Device;
use a2lint::ir::{GlobalId, Launch, Module, Program, VariableId};
use a2lint::language::Language;
use a2lint::machine::{Bindings, BoundLaunch, NullObserver, Options, Value, simulate};
use a2lint::prove::{Limit, Precondition, Proof, Proofs};
use a2lint::text::SourceText;
use a2lint::verdict::{Property, Status};

use crate::common::pairs::{self, Pair};
use crate::common::{files, read, root};

/// The path of the table.
const TABLE: &str = "tests/ascendc/proofs.txt";
const HEAD: &str = "\
# What is proved of the sound kernels of AscendC: capacity, operands, bounds, initialised, order, progress, ownership
# and scalars (P proved, I proved under preconditions, T tested, R refuted, - undecided), then what all proofs ask for,
# and why a property is not proved. `UPDATE_TABLE=1 cargo test --test it ascendc_proofs` writes it.
";

/// The names and texts of the sound kernels that need no header of their own.
fn kernels() -> Vec<(String, String)> {
    let folder = |name: &str, end: &str| -> Vec<(String, String)> {
        let paths = files(&root().join(name), "cpp").into_iter();
        let named = paths.map(|path| {
            let file = path.file_name().expect("a name").to_string_lossy();
            (format!("{name}/{file}"), read(&path))
        });
        named.filter(|(name, _)| name.ends_with(end)).collect()
    };
    let sound = |pair: Pair| {
        (
            format!("{}/{}_good.cpp", pairs::FOLDER, pair.name),
            pair.good,
        )
    };
    let mut all = [
        folder("tests/ascendc/kernels", ".cpp"),
        pairs::pairs().into_iter().map(sound).collect(),
        folder("tests/trust/proofs", "_good.cpp"),
    ]
    .concat();
    all.retain(|(_, text)| !text.contains("#include \"common/"));
    all
}

#[test]
fn the_table_of_proofs_is_up_to_date() {
    let mut table = HEAD.to_owned();
    for (name, text) in kernels() {
        let analysis = check(&SourceText::new(text), Language::Cpp, &Settings::default());
        writeln!(table, "{name}").expect("text takes text");
        for (record, verdicts) in analysis.records.iter().zip(analysis.verdicts()) {
            let letters: String = verdicts.iter().map(|it| letter(&it.status)).collect();
            writeln!(table, "    {:<24} {letters}", record.name).expect("text takes text");
            let conditions = record.preconditions(&verdicts);
            if !conditions.is_empty() {
                writeln!(table, "        if {}", conditions.join(", ")).expect("text takes text");
            }
            for verdict in verdicts.iter() {
                let open = match &verdict.status {
                    Status::Proved { .. } => None,
                    Status::Undecided { because, .. } => Some(because.clone()),
                    _ => record.unproved(verdict.property).map(|it| it.0),
                };
                if let Some(because) = open {
                    let property = verdict.property.name();
                    writeln!(table, "        {property}: {because}").expect("text takes text");
                }
            }
        }
    }
    let path = root().join(TABLE);
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(&path, &table).expect("a file");
    }
    let known = read(&path).replace("\r\n", "\n");
    let differs = known.lines().zip(table.lines()).find(|(a, b)| a != b);
    if let Some((known, now)) = differs {
        panic!("{TABLE} says\n  {known}\nand it is\n  {now}\nnow: `UPDATE_TABLE=1` writes it");
    }
    assert_eq!(known.len(), table.len(), "{TABLE} has other files");
}

fn letter(status: &Status) -> char {
    match status {
        Status::Proved { under, .. } if under.is_empty() => 'P',
        Status::Proved { .. } => 'I',
        Status::Tested => 'T',
        Status::Refuted { .. } => 'R',
        Status::Undecided { .. } => '-',
    }
}

/// A kernel with a launch of its file and its proofs.
struct Kernel<'m> {
    module: &'m Module,
    program: &'m Program,
    launch: &'m Launch,
    proofs: Proofs,
}

impl<'m> Kernel<'m> {
    fn of(module: &'m Module, program: &'m Program) -> Option<Kernel<'m>> {
        let launches = module.launches.iter();
        let own: Vec<&Launch> = launches.filter(|it| it.kernel == program.name).collect();
        let mut kernel = Kernel {
            module,
            program,
            launch: own.first()?,
            proofs: Proofs::default(),
        };
        let bind = |launch| kernel.bind(launch, &Bindings::default());
        let bounds: Vec<BoundLaunch> = own.into_iter().filter_map(bind).collect();
        kernel.proofs = Proofs::of(&KernelFacts::of(program), bounds.iter());
        Some(kernel)
    }

    fn bind(&self, launch: &Launch, bindings: &Bindings) -> Option<BoundLaunch> {
        let all = &self.module.launches;
        let device = Device::default();
        BoundLaunch::bind(self.program, Some(launch), all, bindings, device, 1 << 26).ok()
    }

    fn conditions(&self) -> impl Iterator<Item = &Precondition> {
        Property::ALL
            .into_iter()
            .flat_map(|property| match self.proofs.get(property) {
                Proof::Holds { under, .. } => &under[..],
                Proof::Open { .. } => &[],
            })
    }

    /// Returns a launch with other sizes and cores, and with tensors that are just as long as the preconditions ask.
    fn random(&self, random: &mut Random) -> Option<BoundLaunch> {
        let plain = self.bind(self.launch, &Bindings::default())?;
        let mut scalars: Vec<(String, f64)> = Vec::new();
        let mut values: Vec<(VariableId, i64)> = Vec::new();
        for (id, value) in &plain.parameters {
            let Value::Int(value) = *value else { continue };
            let value = self.within(*id, other(random, value));
            values.push((*id, value));
            let name = self.program.variable(*id).name.to_string();
            scalars.push((name, value as f64));
        }
        self.satisfy_demands(random, &mut values);
        for (id, value) in &values {
            let name = self.program.variable(*id).name.to_string();
            let own = scalars.iter_mut().filter(|(known, _)| *known == name);
            own.for_each(|(_, scalar)| *scalar = *value as f64);
        }
        let is_one = |it: &Precondition| matches!(it, Precondition::OneLane(_));
        let one = self.conditions().any(is_one) && random.below(4) > 0;
        let cores = if one {
            1
        } else {
            [1, 2, 3, 5, 8][random.below(5)]
        };
        let mut bindings = Bindings {
            scalars,
            cores: Some(cores),
            ..Bindings::default()
        };
        let bound = self.bind(self.launch, &bindings)?;
        for at in (0..self.program.globals.len() as u32).map(GlobalId) {
            if let Some(length) = self.length(at, &values, &bound) {
                let name = self.program.global(at).name.to_string();
                bindings.shapes.push((name, vec![length.max(0)]));
            }
        }
        self.bind(self.launch, &bindings)
    }

    /// Changes values until all demands on several of them are satisfied, or gives up.
    fn satisfy_demands(&self, random: &mut Random, values: &mut [(VariableId, i64)]) {
        for _ in 0..200 {
            let value = |name: &str| {
                let named = |id: VariableId| self.program.variable(id).name == *name;
                Some(values.iter().find(|(id, _)| named(*id))?.1)
            };
            let is_broken = |it: &&Precondition| {
                matches!(it, Precondition::Demand(_)) && it.holds_of(value) == Some(false)
            };
            let Some(broken) = self.conditions().find(is_broken) else {
                return;
            };
            let names: Vec<&str> = broken.parameters().collect();
            let name = names[random.below(names.len())];
            let at = values
                .iter()
                .position(|(id, _)| self.program.variable(*id).name == *name);
            if let Some(at) = at {
                let other = values[random.below(values.len())].1;
                let tried = [
                    1 + random.below(4) as i64,
                    other,
                    16 * (1 + random.below(40) as i64),
                ];
                values[at].1 = self.within(values[at].0, tried[random.below(3)]);
            }
        }
    }

    /// Returns a value that the preconditions on one parameter admit, near another one.
    fn within(&self, id: VariableId, value: i64) -> i64 {
        let own = self.conditions().filter_map(Precondition::size);
        own.filter(|size| size.parameter == id)
            .fold(value, |value, size| {
                let value = value.min(size.most.unwrap_or(i64::MAX)).max(size.least);
                value.div_euclid(size.multiple).max(1) * size.multiple
            })
    }

    /// Returns the length that the preconditions ask of a tensor, if they ask for one.
    fn length(
        &self,
        global: GlobalId,
        values: &[(VariableId, i64)],
        bound: &BoundLaunch,
    ) -> Option<i64> {
        let value = |id: VariableId| {
            let found = values.iter().find(|known| known.0 == id);
            found.map(|known| known.1)
        };
        let workers = |of: Workers| {
            Some(match of {
                Workers::Cores => i64::from(bound.cores),
                Workers::VecLanes => i64::from(bound.vec_lanes),
            })
        };
        let own = self.conditions().filter_map(Precondition::extents);
        let own = own.filter(|it| it.global == global && it.limit != Limit::AtMost);
        let lengths = own.filter_map(|it| it.least.first()?.as_ref());
        lengths
            .filter_map(|least| least.evaluated(|id, _| value(id), workers))
            .max()
    }
}

/// Returns another value for a size: small, odd, a multiple of a block, or near the present one.
fn other(random: &mut Random, value: i64) -> i64 {
    let value = value.clamp(1, 600);
    let mut below = |most: i64| random.below(most.max(1) as usize) as i64;
    let kind = below(6);
    match kind {
        0 => 1 + below(4),
        1 => 1 + below(40),
        2 => 8 * (1 + below(24)),
        3 => 64 * (1 + below(4)),
        4 => value + below(3) - 1,
        _ => 1 + below(2 * value),
    }
    .max(1)
}

/// `A2LINT_ASCENDC_LAUNCHES=300` sets the number of launches of every kernel, `A2LINT_ASCENDC_FIRST` the seed.
#[test]
fn random_launches_of_ascendc_break_nothing_that_is_proved() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<usize>().ok();
    let each = number("A2LINT_ASCENDC_LAUNCHES").unwrap_or(3);
    let mut random = Random::new(number("A2LINT_ASCENDC_FIRST").unwrap_or(1) as u64);
    let mut counts = Counts::default();
    for (name, text) in kernels() {
        let (module, _) = trace_ascendc(&SourceText::new(text), &Settings::default());
        for program in &module.programs {
            let Some(kernel) = Kernel::of(&module, program) else {
                continue;
            };
            for _ in 0..each {
                let Some(bound) = kernel.random(&mut random) else {
                    continue;
                };
                let options = Options {
                    max_work: 3_000_000,
                    ..Options::default()
                };
                let outcome = simulate(program, &bound, &options, &mut NullObserver);
                let compared = compare(&kernel.proofs, &bound, &outcome, |_| true, &mut counts);
                if let Err(problem) = compared {
                    let sizes = &bound.parameters;
                    let cores = bound.vec_lanes;
                    panic!("{name} {sizes:?} on {cores} cores: {problem}");
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.runs > 60, "{counts:?}");
}
