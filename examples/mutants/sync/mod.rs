//! Mutants of what orders a kernel, and what the machine shows of them.

mod edits;
mod freeze;

use a2lint::device::Device;
use a2lint::ir::{Module, Program, StmtId};
use a2lint::isa::Class;
use a2lint::machine::{Bindings, BoundLaunch, End, FindingKind, Options, simulate};

pub use edits::{OPERATORS, mutants};
pub use freeze::Freezer;

/// Something that goes wrong: in words, and the statements that take part.
pub type Wrong = (String, Vec<StmtId>);

/// What goes wrong with a kernel under the launches of its file.
pub fn wrongs(program: &Program, module: &Module, options: &Options) -> Vec<Wrong> {
    let own = module
        .launches
        .iter()
        .filter(|launch| launch.kernel == program.name);
    let mut wrongs = Vec::new();
    for launch in own {
        let (none, device) = (Bindings::default(), Device::default());
        let bound = BoundLaunch::bind(
            program,
            Some(launch),
            &module.launches,
            &none,
            device,
            1 << 28,
        );
        let Ok(bound) = bound else { continue };
        let mut freezer = Freezer::new(program, bound.cores);
        let outcome = simulate(program, &bound, options, &mut freezer);
        if let End::Deadlock(deadlock) = &outcome.end {
            // Whatever sets or awaits something can be why nothing goes on.
            let all = program.instructions().into_iter();
            let tokens = all.filter(|(_, instr)| {
                matches!(
                    instr.row().class,
                    Class::Event | Class::CrossFlag | Class::Mutex
                )
            });
            let places = tokens.map(|(stmt, _)| stmt.id).collect();
            wrongs.push((format!("stuck: {}", deadlock.lines(program)[0]), places));
        }
        for seen in &outcome.findings {
            use FindingKind::{FlagOverflow, RepeatedSet};
            if matches!(seen.kind, RepeatedSet(_) | FlagOverflow(_)) {
                wrongs.push((format!("{:?}", seen.kind), vec![seen.stmt]));
            }
        }
        for overlap in freezer.finish() {
            let text = format!("{} may overlap {}", overlap.second_pipe, overlap.first_pipe);
            wrongs.push((text, vec![overlap.first, overlap.second]));
        }
    }
    wrongs
}
