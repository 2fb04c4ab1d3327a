//! Launches: scalar arguments get the names of their parameters.

use super::dialects::ascriptor;
use a2lint_ir::{Launch, Module, ParamKind, Program};

/// Names scalar arguments, which are recorded by position, after their parameters.
pub(super) fn bind(programs: &[Program], mut launches: Vec<Launch>) -> Vec<Launch> {
    for launch in &mut launches {
        let Some(program) = programs
            .iter()
            .find(|program| program.name == launch.kernel)
        else {
            continue;
        };
        let scalars = program
            .params
            .iter()
            .filter(|param| !matches!(param.kind, ParamKind::Global(_)));
        for (argument, param) in launch.scalars.iter_mut().zip(scalars) {
            argument.0 = param.name.to_string();
        }
        ascriptor::launches::solve(program, launch);
    }
    // Launches of kernels that could not be traced have no program to run.
    launches.retain(|launch| programs.iter().any(|program| program.name == launch.kernel));
    launches
}

/// Adds the launches that literal test cases give, and those of kernels whose extents are all constants.
pub(super) fn of_declarations(cases: &[ascriptor::launches::Case], module: &mut Module) {
    let mut found: Vec<Launch> = Vec::new();
    for program in &module.programs {
        let is_launched = |launch: &Launch| launch.kernel == program.name;
        // Real launches are better evidence, so derived ones are added only without them.
        if module.launches.iter().any(is_launched) {
            continue;
        }
        let cases = cases.iter();
        let given = cases.filter_map(|case| ascriptor::launches::of_case(program, case));
        let own = ascriptor::launches::of_signature(program);
        for launch in given.chain(own) {
            if !found.contains(&launch) {
                found.push(launch);
            }
        }
    }
    module.launches.append(&mut found);
}
