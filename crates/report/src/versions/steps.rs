//! How the first wrong element came about in both versions: what they do alike is left out.

use super::VersionReport;
use crate::Page;
use a2lint_run::versions::{Difference, Output, SIDES};
use a2lint_source::spelling::count;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The steps of both versions that led to an element.
pub(super) struct Parted {
    /// Number of steps that are taken for the same in both.
    pub same: usize,
    /// The others, by version.
    pub sides: [Told; 2],
}

impl Parted {
    /// Says how many steps are left out; `None` if none is.
    pub fn same_text(&self) -> Option<String> {
        let steps = count(self.same, "step");
        let text =
            format!("{steps} left out: the same instruction on the same ranges of values in both");
        (self.same > 0).then_some(text)
    }
}

/// Steps of one version, as lines of text.
pub(super) struct Told {
    /// Two lines or more for each step, without indentation of their own.
    pub lines: Vec<String>,
    /// Number of steps that are not shown.
    pub more: usize,
}

impl VersionReport<'_> {
    /// Tells apart what both versions did alike for an element, and what one of them did; at most `most` steps of each.
    ///
    /// Steps are taken for the same if an instruction reads and writes the same ranges of values, whatever its operands
    /// are called: a permuted tile is not seen.
    pub(super) fn parted(
        &self,
        output: &Output,
        difference: &Difference,
        index: &[i64],
        most: usize,
        page: Page,
    ) -> Option<Parted> {
        let [Some(old), Some(new)] = &difference.histories else {
            return None;
        };
        let histories = [old, new];
        let narrators = [0, 1].map(|side| self.narrator(side, page));
        let gists = [0, 1].map(|side| {
            let steps = histories[side].steps.iter();
            steps
                .map(|step| narrators[side].gist(step))
                .collect::<Vec<_>>()
        });
        let mut own: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
        let mut same = 0;
        for op in capture_diff_slices(Algorithm::Myers, &gists[0], &gists[1]) {
            match op {
                DiffOp::Equal { len, .. } => same += len,
                _ => {
                    own[0].extend(op.old_range());
                    own[1].extend(op.new_range());
                }
            }
        }
        let sides = [0, 1].map(|side| {
            let (history, narrator) = (histories[side], &narrators[side]);
            let mut lines = match &history.writer {
                None => vec![format!("nothing wrote {}{index:?}", output.names[side])],
                Some(_) if own[side].is_empty() && !history.steps.is_empty() => {
                    vec![format!("nothing that {} does not do", SIDES[1 - side])]
                }
                Some(writer) if history.steps.is_empty() => vec![narrator.statement(writer.stmt)],
                Some(_) => Vec::new(),
            };
            if history.is_cut {
                lines.push("(the nearest of what it is computed from)".to_owned());
            }
            let shown = own[side].iter().take(most);
            lines.extend(shown.flat_map(|&at| narrator.step(&history.steps[at])));
            let map = &self.compared.versions[side].target.map;
            let lines = lines.iter().map(|line| map.in_words(line)).collect();
            Told {
                lines,
                more: own[side].len().saturating_sub(most),
            }
        });
        Some(Parted { same, sides })
    }
}
