//! Advice on speed for a launch that has been run.

use super::{Settings, elsewhere, in_order, matches, rule_findings};
use a2lint_analysis::KernelFacts;
use a2lint_costs::Costs;
use a2lint_ir::finding::Finding;
use a2lint_ir::{Module, Program, ScalarNames};
use a2lint_isa::device::Device;
use a2lint_machine::BoundLaunch;
use a2lint_project::SourceMap;
use a2lint_replay::Replay;
use a2lint_rules::{Facts, RULES, Rule};
use a2lint_source::guard::in_kernel;

/// The prefix of the codes of rules about speed.
const SPEED: &str = "PRF";

/// Advice on making a kernel faster.
#[derive(Debug, Default)]
pub struct Advice {
    /// The findings of rules about speed.
    pub findings: Vec<Finding>,
    /// Number of changes whose effect was not measured, because runs of the kernel take too long.
    pub untried: u32,
}

/// Runs the rules about speed for a launch that ran to its end without findings.
pub fn advice(
    map: &SourceMap,
    module: &Module,
    program: &Program,
    bound: &BoundLaunch,
    device: Device,
    settings: &Settings,
) -> Advice {
    let is_ignored = |rule: &Rule| settings.ignore.iter().any(|it| matches(rule, it));
    let rules = RULES.iter().copied();
    let rules: Vec<&'static Rule> = rules
        .filter(|rule| matches(rule, SPEED) && !is_ignored(rule))
        .collect();
    let replay = Replay::clean(bound, device);
    in_kernel(&program.name, || {
        let costs = Costs::of(program, &replay, 1);
        let kernel = KernelFacts::of(program);
        let facts = Facts {
            source: &map.source,
            module,
            kernel: &kernel,
            program,
            analysis: kernel.analysis(),
            memory: kernel.memory(),
            names: &ScalarNames::new(program),
            replay: &replay,
            costs: &costs,
        };
        let mut findings = rule_findings(&facts, &rules);
        elsewhere::move_to_call(map, program, &mut findings);
        Advice {
            findings: in_order(findings),
            untried: costs.untried(),
        }
    })
}
