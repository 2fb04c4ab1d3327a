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

use a2lint_ir::finding::Severity;
use a2lint_ir::verdict::Property;
use a2lint_machine::{BoundLaunch, Departure, DepartureKind};
use a2lint_run::versions::{
    Answer, Compared, Difference, Elements, Launched, Output, Sameness, Standing, Version,
};
use a2lint_source::spelling::count;

use super::run::{Narrator, float_text};
use super::{Page, Paint};

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

    /// Says where exact values part from the runs, a clause for each version.
    fn departures(&self, difference: &Difference, page: Page) -> impl Iterator<Item = String> {
        let told = move |side| Some(self.departure(side, difference.departures[side]?, page));
        [0, 1].into_iter().filter_map(told)
    }

    /// Returns the standings of properties in both versions, and whether they are `lost: ` or `won: `.
    fn standings(&self) -> impl Iterator<Item = (Property, [&Standing; 2], (&'static str, Tone))> {
        let compared = self.compared;
        let (lost, won) = (compared.lost(), compared.won());
        Property::ALL.into_iter().filter_map(move |property| {
            let [old, new] = [0, 1].map(|side| compared.checked[side].standing(property));
            let note = match () {
                () if lost.contains(&property) => ("lost: ", Tone::Bad),
                () if won.contains(&property) => ("won: ", Tone::Good),
                () => ("", Tone::Plain),
            };
            Some((property, [old?, new?], note))
        })
    }

    /// Says what was run.
    fn runs(&self) -> String {
        let compared = self.compared;
        let cut = match compared.cut {
            Some(cut) => format!(" of {} that were to be tried: {cut}", compared.planned),
            None => String::new(),
        };
        let inputs = count(compared.tried, "input");
        let launches = launches(compared.launches.len());
        format!("run on {inputs}, over {launches}{cut}")
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

/// Whether something speaks for NEW; a page shows it by a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tone {
    Good,
    Plain,
    Dim,
    Open,
    Bad,
}

impl Tone {
    fn of(answer: Answer) -> Tone {
        match answer {
            Answer::AsGood => Tone::Good,
            Answer::Open => Tone::Open,
            Answer::Worse => Tone::Bad,
        }
    }

    /// Paints text for a terminal.
    fn painted(self, text: &str, paint: Paint) -> String {
        match self {
            Tone::Good => paint.good(text),
            Tone::Plain | Tone::Dim => text.to_owned(),
            Tone::Open => paint.severity(Severity::Warning, text),
            Tone::Bad => paint.severity(Severity::Error, text),
        }
    }

    /// Returns the class in the page of HTML.
    fn class(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Plain => "",
            Tone::Dim => "dim",
            Tone::Open => "open",
            Tone::Bad => "bad",
        }
    }
}

/// Returns the name of an output.
fn named(output: &Output) -> String {
    match output.names[0] == output.names[1] {
        true => output.names[0].clone(),
        false => format!("{} ({} in NEW)", output.names[0], output.names[1]),
    }
}

/// Says whether the values of an output are the same.
fn sameness(output: &Output) -> (&'static str, Tone) {
    match &output.sameness {
        Sameness::Untried => ("not compared: no launch of both", Tone::Bad),
        Sameness::Bits => ("the same bits", Tone::Good),
        Sameness::Exact => ("the same in exact arithmetic", Tone::Good),
        Sameness::Unknown(_) => ("not known", Tone::Bad),
        Sameness::Different(_) => ("different", Tone::Bad),
    }
}

/// Says that only the version `side` has an output.
fn missing(side: usize) -> (&'static str, Tone) {
    match side {
        0 => ("NEW does not have it, so it is not compared", Tone::Bad),
        _ => ("only NEW has it: not compared", Tone::Dim),
    }
}

/// Says which numbers NEW has where OLD has none.
fn gained(output: &Output) -> Option<String> {
    let number = count(output.gained, "number");
    (output.gained > 0).then(|| format!("{number} in NEW that OLD has lost"))
}

/// Says how many elements differ by no more than a run may; `None` where none does.
fn near(Elements { differing, all, .. }: &Elements) -> Option<String> {
    let text =
        || format!("{differing} of {all} elements differ, within the tolerance of their type");
    (*differing > 0).then(text)
}

/// Says how many elements differ, and by how much.
fn differing(elements: &Elements) -> String {
    let by = match elements.largest > 0.0 {
        true => format!(", by up to {}", float_text(elements.largest)),
        false => String::new(),
    };
    format!("{} of {} elements{by}", elements.differing, elements.all)
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
