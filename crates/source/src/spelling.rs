//! Texts of messages: plurals, and spelling suggestions.

/// Returns the candidate that is most similar to `text`, ignoring case; `None` if none is similar enough.
pub fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let text = text.to_lowercase();
    let likeness = |candidate: &str| strsim::jaro_winkler(&text, &candidate.to_lowercase());
    candidates
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// Formats a count with its noun: `1 file`, `2 files`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Returns the closest candidate that is one edit away (or differs in case only): replacements before insertions and
/// deletions, then in alphabetical order.
pub fn one_edit_away<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<String> {
    let near = candidates.filter(|candidate| {
        // Edit distance is costly; names of other lengths cannot be one edit away.
        candidate.len().abs_diff(name.len()) <= 1
            && (strsim::osa_distance(name, candidate) == 1 || candidate.eq_ignore_ascii_case(name))
    });
    let nearest = near.min_by_key(|candidate| (candidate.len() != name.len(), *candidate));
    nearest.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::one_edit_away;

    #[test]
    fn a_letter_for_another_is_nearer_than_one_more() {
        let near = |name: &str| one_edit_away(name, ["mul", "muls", "maxs", "exp"].into_iter());
        assert_eq!(near("mulz").as_deref(), Some("muls"));
        assert_eq!(near("mu").as_deref(), Some("mul"));
        assert_eq!(near("exq").as_deref(), Some("exp"));
        assert_eq!(near("pxe"), None);
    }
}
