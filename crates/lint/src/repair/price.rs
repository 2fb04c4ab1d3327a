//! The price of a repair: the time of the kernel before and after, by the cost model.

use crate::check::{Analysis, Settings, trace};
use a2lint_costs::{Timed, launches, longest};
use a2lint_ir::finding::{Finding, Fix};
use a2lint_ir::{Module, Program};
use a2lint_project::Modules;
use a2lint_rules as rules;
use a2lint_rules::fix::apply;
use a2lint_source::text::SourceText;

/// Limit of the work of each run, which takes about a tenth of a second.
const MOST_WORK: u64 = 2_000_000;
/// The share of the time below which a difference counts as none.
const LEAST_SHARE: f64 = 0.002;
/// Number of scalars of a launch that are named.
const MOST_NAMED: usize = 3;

/// The time of a kernel before and after a repair, for the known launch that takes longest. The time of a kernel
/// with a race is that of the order as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    /// Time before the repair in microseconds.
    pub before: f64,
    /// Time after the repair in microseconds.
    pub after: f64,
    /// The scalars of the launch, such as `M=1024`.
    pub launch: String,
}

impl Price {
    /// Formats the difference: `costs 0.8 µs, 1.2 %, with M=1024`.
    pub fn describe(&self) -> String {
        let difference = self.after - self.before;
        let share = difference.abs() / self.before;
        let with = match self.launch.as_str() {
            "" => String::new(),
            launch => format!(" with {launch}"),
        };
        if share < LEAST_SHARE {
            return format!("costs no time{with}");
        }
        let verb = if difference > 0.0 { "costs" } else { "saves" };
        let comma = if with.is_empty() { "" } else { "," };
        let (time, percent) = (digits(difference.abs()), digits(100.0 * share));
        format!("{verb} {time} µs, {percent} %{comma}{with}")
    }
}

/// Formats a number with at least two significant digits, unless it is below 0.1.
fn digits(value: f64) -> String {
    match value {
        _ if value < 1.0 => format!("{value:.2}"),
        _ if value < 10.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// Computes prices with the cost model.
#[derive(Clone, Copy)]
pub struct Prices<'a> {
    settings: &'a Settings,
}

impl<'a> Prices<'a> {
    /// Creates the computation for files that are checked under these settings.
    pub fn of(settings: &'a Settings) -> Prices<'a> {
        Prices { settings }
    }

    /// Returns the price of going from one analysis of a file to another. `None` for findings that do not concern
    /// synchronisation, and if a run is incomplete.
    pub(super) fn difference(
        &self,
        finding: &Finding,
        before: &Analysis,
        after: &Analysis,
    ) -> Option<Price> {
        self.between(finding, &before.module, &after.module)
    }

    /// Returns the price of the fix that a finding carries.
    pub fn of_fix(
        &self,
        source: &SourceText,
        before: &Module,
        finding: &Finding,
        fix: &Fix,
    ) -> Option<Price> {
        if !is_priced(finding) || finding.elsewhere.is_some() {
            return None;
        }
        let text = SourceText::new(apply(source.as_str(), &fix.edits));
        let project = self.settings.trace.project.as_ref();
        let (modules, own) = Modules::read(&text, project);
        let after = trace(&modules, own.syntax(), self.settings);
        self.between(finding, before, &after)
    }

    fn between(&self, finding: &Finding, before: &Module, after: &Module) -> Option<Price> {
        if !is_priced(finding) {
            return None;
        }
        let (old, new) = (kernel(before, finding)?, kernel(after, finding)?);
        let (device, scalars) = (self.settings.trace.device, &self.settings.bindings);
        let (index, base) = longest(before, old, device, scalars, MOST_WORK)?;
        let launches = launches(after, new, device, scalars);
        let (_, launch) = launches.iter().find(|(at, _)| *at == index)?;
        let repaired = Timed::of(new, launch, MOST_WORK)?;
        Some(Price {
            before: base.time(),
            after: repaired.time(),
            launch: named(old, &base),
        })
    }
}

fn is_priced(finding: &Finding) -> bool {
    let rule = rules::find(finding.name);
    rule.is_some_and(|rule| rule.group().prefix == super::SYNCHRONISATION)
}

fn kernel<'m>(module: &'m Module, finding: &Finding) -> Option<&'m Program> {
    let mut programs = module.programs.iter();
    programs.find(|program| finding.is_in(&program.name))
}

/// Formats the scalars of a launch.
fn named(program: &Program, timed: &Timed) -> String {
    let scalars = timed.launch.scalars(program).into_iter();
    let named = scalars.take(MOST_NAMED);
    let named: Vec<String> = named
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    named.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(before: f64, after: f64, launch: &str) -> String {
        let launch = launch.to_owned();
        let price = Price {
            before,
            after,
            launch,
        };
        price.describe()
    }

    #[test]
    fn prices_are_told_in_words() {
        assert_eq!(text(100.0, 101.2, "M=8"), "costs 1.2 µs, 1.2 %, with M=8");
        assert_eq!(text(26.0, 25.2, ""), "saves 0.80 µs, 3.1 %");
        assert_eq!(text(26.0, 26.01, "M=8"), "costs no time with M=8");
        assert_eq!(text(50.0, 25.0, ""), "saves 25 µs, 50 %");
    }
}
