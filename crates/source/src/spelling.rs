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

/// Returns whether two names differ only in one letter or number that tells the members of a family apart: `ub_x` and
/// `ub_r`, `a1` and `a2`, `n` and `m`. Neither is a misspelling of the other.
pub fn are_siblings(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    let mut differing = a.iter().zip(&b).filter(|(a, b)| a != b);
    let is_mark =
        |word: &str| word.chars().count() == 1 || word.bytes().all(|it| it.is_ascii_digit());
    let first = differing.next();
    a.len() == b.len()
        && first.is_some_and(|(a, b)| is_mark(a) && is_mark(b))
        && differing.next().is_none()
}

/// Returns the words of a name: parts between underscores, capitals within small letters, and numbers.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for c in name.chars() {
        let begins = before.is_none_or(|before: char| {
            before == '_'
                || before.is_ascii_digit() != c.is_ascii_digit()
                || before.is_lowercase() && c.is_uppercase()
        });
        match words.last_mut().filter(|_| !begins) {
            Some(word) if c != '_' => word.push(c),
            _ if c != '_' => words.push(c.to_string()),
            _ => {}
        }
        before = Some(c);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{are_siblings, one_edit_away};

    #[test]
    fn a_letter_or_number_of_its_own_tells_names_of_a_family_apart() {
        for (a, b) in [
            ("ub_x", "ub_r"),
            ("a1", "a2"),
            ("n", "m"),
            ("xGm", "yGm"),
            ("t_0", "t_12"),
        ] {
            assert!(are_siblings(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("scale", "scal"),
            ("tmp", "tpm"),
            ("row", "rows"),
            ("cnt", "cont"),
            ("D", "DD"),
            ("a", "a"),
        ] {
            assert!(!are_siblings(a, b), "{a} {b}");
        }
    }

    #[test]
    fn a_letter_for_another_is_nearer_than_one_more() {
        let near = |name: &str| one_edit_away(name, ["mul", "muls", "maxs", "exp"].into_iter());
        assert_eq!(near("mulz").as_deref(), Some("muls"));
        assert_eq!(near("mu").as_deref(), Some("mul"));
        assert_eq!(near("exq").as_deref(), Some("exp"));
        assert_eq!(near("pxe"), None);
    }
}
