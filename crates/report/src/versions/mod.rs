//! Reports on two versions of a kernel: one page of text, whose first line is the answer, JSON, and a page
//! of HTML with both versions side by side.

mod headline;
mod html;
mod json;
mod steps;
mod text;

pub use headline::headline;
pub use html::page;
pub use json::render as render_json;
pub use text::render;

use a2lint_machine::{BoundLaunch, Departure, DepartureKind};
use a2lint_run::versions::{Compared, Launched, Version};

use super::Page;
use super::run::Narrator;

/// A comparison with the names that the user gave the versions.
pub struct VersionReport<'a> {
    /// The comparison.
    pub compared: &'a Compared<'a>,
    /// `FILE[::KERNEL]` of each version.
    pub names: [String; 2],
    /// Wall time in seconds.
    pub seconds: f64,
}

impl VersionReport<'_> {
    fn narrator(&self, side: usize, page: Page) -> Narrator<'_> {
        let Version { target, program } = self.compared.versions[side];
        Narrator {
            program,
            map: &target.map,
            page,
        }
    }

    /// Formats the arguments of a launch of OLD: `M=128, x half [128, 64]`.
    fn arguments(&self, launched: &Launched) -> String {
        let launch = &launched.pair.bounds[0].launch;
        arguments(self.compared, launch)
    }

    /// Formats where exact values part from a run, as a clause.
    fn departure(&self, side: usize, departure: Departure, page: Page) -> String {
        let told = self.narrator(side, page);
        let what = match departure.kind {
            DepartureKind::Decision => "rounding changes what it decides",
            DepartureKind::Bits => "floats are computed with as bits, and exact values are lost",
        };
        let version = self.compared.versions[side];
        let place = version.target.map.in_words(&told.statement(departure.stmt));
        format!("{what} in {}, {place}", a2lint_run::versions::SIDES[side])
    }
}

fn arguments(compared: &Compared, launch: &BoundLaunch) -> String {
    let scalars = launch.scalars(compared.versions[0].program).into_iter();
    let mut parts: Vec<String> = scalars
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let tensors = launch.globals.iter();
    parts.extend(tensors.map(|it| format!("{} {} {:?}", it.name, it.dtype, it.shape)));
    match parts.is_empty() {
        true => "without arguments".to_owned(),
        false => parts.join("  "),
    }
}

/// Formats a number of launches.
fn launches(number: usize) -> String {
    match number {
        1 => "1 launch".to_owned(),
        number => format!("{number} launches"),
    }
}
