//! Proofs compared with generated launches: those that satisfy the preconditions violate no proved property, and some
//! that just miss them do.

use std::collections::BTreeMap;

use super::prove::{Counts, compare};
use super::sync::module;
use crate::fuzzing::mutate::Random;
use a2lint::analysis::KernelFacts;
use a2lint::device::Device;
use a2lint::ir::{Launch, Module, Program};
use a2lint::machine::{Bindings, BoundLaunch, NullObserver, Options, Value, simulate};
use a2lint::prove::{Assumption, Precondition, Proof, Proofs, Size, is_broken};
use a2lint::verdict::Property;

/// Limit on the work of a launch. Many small launches find more than a few large ones.
const WORK: u64 = 3_000_000;
/// Number of launches that are tried for a precondition until one violates the property.
const TRIES: usize = 40;
/// The numbers of cores.
const CORES: [u32; 6] = [1, 2, 3, 5, 8, 20];

fn options() -> Options {
    Options {
        max_work: WORK,
        ..Options::default()
    }
}

/// A kernel with the launches of its file.
struct Kernel<'m> {
    file: String,
    module: &'m Module,
    program: &'m Program,
    launches: Vec<&'m Launch>,
    proofs: Proofs,
}

impl<'m> Kernel<'m> {
    fn of(file: &str, module: &'m Module, program: &'m Program) -> Kernel<'m> {
        let own = module.launches.iter();
        let launches: Vec<&Launch> = own.filter(|it| it.kernel == program.name).collect();
        let mut kernel = Kernel {
            file: file.to_owned(),
            module,
            program,
            launches,
            proofs: Proofs::default(),
        };
        let bounds: Vec<BoundLaunch> = kernel.own().collect();
        kernel.proofs = Proofs::of(&KernelFacts::of(program), bounds.iter());
        kernel
    }

    fn own(&self) -> impl Iterator<Item = BoundLaunch> + '_ {
        let none = Bindings::default();
        let launches = self.launches.iter();
        launches.filter_map(move |launch| self.bind(launch, &none))
    }

    fn bind(&self, launch: &Launch, bindings: &Bindings) -> Option<BoundLaunch> {
        let all = &self.module.launches;
        let device = Device::default();
        BoundLaunch::bind(self.program, Some(launch), all, bindings, device, 1 << 26).ok()
    }

    /// Returns one of the launches of the file with other sizes and cores. The `given` values are fixed.
    fn random(&self, random: &mut Random, given: &[(String, i64)]) -> Option<BoundLaunch> {
        let launch = self.launches[random.below(self.launches.len())];
        let plain = self.bind(launch, &Bindings::default())?;
        let mut scalars: Vec<(String, f64)> = Vec::new();
        for (id, value) in &plain.parameters {
            let name = self.program.variable(*id).name.clone();
            let Value::Int(value) = *value else { continue };
            let own = given.iter().find(|(given, _)| *given == name);
            let value = own.map_or_else(|| other(random, value), |(_, value)| *value);
            scalars.push((name.to_string(), value as f64));
        }
        let bindings = Bindings {
            scalars,
            cores: Some(CORES[random.below(CORES.len())]),
            ..Bindings::default()
        };
        self.bind(launch, &bindings).filter(|bound| {
            self.program
                .contract
                .breaches(&bound.given(self.program))
                .is_empty()
        })
    }
}

/// Returns another value for a size: small, odd, a multiple of a block, or near the present one.
fn other(random: &mut Random, value: i64) -> i64 {
    let value = value.clamp(1, 400);
    let below = |random: &mut Random, most: i64| random.below(most.max(1) as usize) as i64;
    match random.below(6) {
        0 => 1 + below(random, 4),
        1 => 1 + below(random, 40),
        2 => 8 * (1 + below(random, 24)),
        3 => 64 * (1 + below(random, 4)),
        4 => value + below(random, 3) - 1,
        _ => 1 + below(random, 2 * value),
    }
    .max(1)
}

/// Whether a launch satisfies the assumptions of proofs on the shapes of tensors.
fn is_as_assumed(kernel: &Kernel, bound: &BoundLaunch, assuming: &[Assumption]) -> bool {
    let value = |text: &str| {
        text.parse().ok().or_else(|| {
            let mut parameters = bound.parameters.iter();
            let own = parameters.find(|(id, _)| kernel.program.variable(*id).name == text);
            match own {
                Some((_, Value::Int(value))) => Some(*value),
                _ => None,
            }
        })
    };
    let shape = |name: &str| {
        let at = kernel
            .program
            .globals
            .iter()
            .position(|it| it.name == name)?;
        bound.globals.get(at).map(|global| &global.shape)
    };
    assuming.iter().map(Assumption::text).all(|text| {
        if let Some(most) = text.strip_prefix("no extent of a tensor is above ") {
            let most: i64 = most.parse().expect("a number");
            return bound
                .globals
                .iter()
                .all(|it| it.shape.iter().all(|&own| own <= most));
        }
        let Some((name, extents)) = text.split_once(" is [") else {
            return true;
        };
        let Some(shape) = shape(name) else {
            return true;
        };
        let extents = extents.trim_end_matches(']').split(", ").map(value);
        extents
            .zip(shape)
            .all(|(assumed, own)| assumed.is_none_or(|assumed| assumed == *own))
    })
}

/// Calls `what` with every `nth` kernel that a file launches.
fn for_each_kernel(nth: usize, mut what: impl FnMut(&Kernel)) {
    let folder = crate::common::root().join("tests/kernels");
    for path in crate::common::files(&folder, "py").into_iter().step_by(nth) {
        let module = module(&path);
        let file = path.file_name().expect("a file").to_string_lossy();
        for program in &module.programs {
            let kernel = Kernel::of(&file, &module, program);
            if !kernel.launches.is_empty() {
                what(&kernel);
            }
        }
    }
}

/// `A2LINT_PROOF_LAUNCHES=3000` sets the number of launches of every kernel, and `A2LINT_PROOF_FIRST` the seed. By
/// default, some launches of some kernels are tried.
#[test]
fn random_launches_break_nothing_that_is_proved() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<usize>().ok();
    let asked = number("A2LINT_PROOF_LAUNCHES");
    let (each, nth) = asked.map_or((4, 4), |each| (each, 1));
    let mut random = Random::new(number("A2LINT_PROOF_FIRST").unwrap_or(1) as u64);
    let mut counts = Counts::default();
    for_each_kernel(nth, |kernel| {
        for _ in 0..each {
            let Some(bound) = kernel.random(&mut random, &[]) else {
                continue;
            };
            let proofs = &kernel.proofs;
            let is_assumed = |property: Property| match proofs.get(property) {
                Proof::Holds { assuming, .. } => is_as_assumed(kernel, &bound, assuming),
                Proof::Open { .. } => false,
            };
            let outcome = simulate(kernel.program, &bound, &options(), &mut NullObserver);
            if let Err(problem) = compare(proofs, &bound, &outcome, is_assumed, &mut counts) {
                let sizes = sizes(kernel, &bound);
                panic!(
                    "{} {} ({sizes}): {problem}",
                    kernel.file, kernel.program.name
                );
            }
        }
    });
    println!("{counts:?}");
    assert!(counts.runs > 20, "{counts:?}");
}

fn sizes(kernel: &Kernel, bound: &BoundLaunch) -> String {
    let name = |id| &kernel.program.variable(id).name;
    let parameters = bound.parameters.iter();
    let mut sizes: Vec<String> = parameters
        .map(|(id, value)| format!("{}={value:?}", name(*id)))
        .collect();
    sizes.push(format!("{} cores", bound.cores));
    sizes.join(", ")
}

/// A condition on one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Demand {
    /// At least 1.
    Positive,
    AtMost(i64),
    MultipleOf(i64),
}

impl Demand {
    fn all(condition: &Size) -> Vec<Demand> {
        let mut all = Vec::new();
        if condition.multiple > 1 {
            all.push(Demand::MultipleOf(condition.multiple));
        } else if condition.least == 1 {
            all.push(Demand::Positive);
        }
        all.extend(condition.most.map(Demand::AtMost));
        all
    }

    /// Returns a value that just violates the condition.
    fn broken_by(self, random: &mut Random) -> i64 {
        match self {
            Demand::Positive => 0,
            Demand::AtMost(most) => most + 1,
            Demand::MultipleOf(multiple) => {
                let whole = multiple * random.below(4) as i64;
                whole + 1 + random.below(multiple as usize - 1) as i64
            }
        }
    }

    fn word(self) -> &'static str {
        match self {
            Demand::Positive => "at least 1",
            Demand::AtMost(_) => "at most",
            Demand::MultipleOf(_) => "multiple of",
        }
    }
}

/// Counts for each kind of precondition how many are necessary: some launch that violates only this one, by as little
/// as possible, violates the property. Conditions of the kind "at least 1" are only tried with
/// `A2LINT_PROOF_TABLE=1`: with empty tensors nothing runs, so that nothing is violated.
#[test]
#[ignore = "takes minutes, and measures"]
fn preconditions_are_hardly_stronger_than_needed() {
    let mut random = Random::new(1);
    let is_table = std::env::var_os("A2LINT_PROOF_TABLE").is_some();
    // Number of necessary preconditions, and number of all.
    let mut counts: BTreeMap<(&str, &str), [usize; 2]> = BTreeMap::new();
    for_each_kernel(1, |kernel| {
        for property in Property::ALL {
            let Proof::Holds { under, assuming } = kernel.proofs.get(property) else {
                continue;
            };
            for condition in under.iter().filter_map(Precondition::size) {
                for demand in Demand::all(condition) {
                    let is_tried = match demand {
                        Demand::Positive => is_table,
                        // Larger values take too long to simulate.
                        Demand::AtMost(most) => most <= 4096,
                        Demand::MultipleOf(_) => true,
                    };
                    if !is_tried {
                        continue;
                    }
                    let is_needed = (0..TRIES).any(|_| {
                        let value = demand.broken_by(&mut random);
                        let given = [(condition.name.clone(), value)];
                        let Some(bound) = kernel.random(&mut random, &given) else {
                            return false;
                        };
                        let mut others = under.iter().filter(|it| it.size() != Some(condition));
                        let is_inside = others.all(|it| it.holds_in(&bound))
                            && is_as_assumed(kernel, &bound, assuming);
                        is_inside && {
                            let outcome =
                                simulate(kernel.program, &bound, &options(), &mut NullObserver);
                            is_broken(&outcome, property)
                        }
                    });
                    let count = counts.entry((demand.word(), property.name())).or_default();
                    count[0] += usize::from(is_needed);
                    count[1] += 1;
                    if !is_needed {
                        let (file, name) = (&kernel.file, &kernel.program.name);
                        println!(
                            "{file} {name} {}: {condition:?}: {demand:?}",
                            property.name()
                        );
                    }
                }
            }
        }
    });
    println!("{counts:?}");
    let limits = counts.iter().filter(|((word, _), _)| *word != "at least 1");
    let [needed, all] = limits.fold([0, 0], |[needed, all], (_, it)| {
        [needed + it[0], all + it[1]]
    });
    println!("{needed} of {all} without those that ask for at least 1");
    assert!(all > 5 && needed * 2 >= all, "{needed} of {all}");
}
