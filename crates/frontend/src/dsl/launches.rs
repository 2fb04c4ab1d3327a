//! Launches: scalars get parameter names.

use super::dialects::ascriptor;
use a2lint_ir::{Launch, Module, ParamKind, Program};

/// Gives scalar arguments, which arrive by position, the names of their parameters.
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
    launches.retain(|launch| programs.iter().any(|program| program.name == launch.kernel));
    launches
}

/// Adds the launches that literal cases give, and those of kernels whose extents are all numbers.
pub(super) fn of_declarations(cases: &[ascriptor::launches::Case], module: &mut Module) {
    let mut found: Vec<Launch> = Vec::new();
    for program in &module.programs {
        let is_launched = |launch: &Launch| launch.kernel == program.name;
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
