//! Blanking of long runs of comments before parsing.
//!
//! At each comment, the scanner of the grammar looks past all comments that follow for the next indentation, so its
//! time is quadratic in their number. Blank lines in their place have the same meaning and take linear time.

use a2lint_source::text::Slice;
use std::borrow::Cow;
use std::ops::Range;

/// Number of consecutive comment lines that are left in place.
const FEW: usize = 32;

/// Returns the text with long runs of comment lines replaced by as many spaces. Lines that contain `a2lint` stay,
/// since the check reads them, and so do lines with triple quotes, which may end a string that the run is inside of.
pub fn without_long_comments(text: &str) -> Cow<'_, str> {
    if memchr::memchr_iter(b'#', text.as_bytes())
        .nth(FEW)
        .is_none()
    {
        return Cow::Borrowed(text);
    }
    let mut long: Vec<Range<usize>> = Vec::new();
    let (mut run, mut lines, mut at) = (0..0, 0, 0);
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        if is_blankable(line) {
            lines += 1;
            run.end = next;
        } else {
            if lines > FEW {
                long.push(run.clone());
            }
            (run, lines) = (next..next, 0);
        }
        at = next;
    }
    if lines > FEW {
        long.push(run);
    }
    if long.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut blanked = String::with_capacity(text.len());
    let mut kept = 0;
    for run in long {
        blanked.push_str(text.part(kept..run.start));
        let bytes = text.part(run.clone()).bytes();
        blanked.extend(bytes.map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        kept = run.end;
    }
    blanked.push_str(text.part(kept..));
    Cow::Owned(blanked)
}

fn is_blankable(line: &str) -> bool {
    let Some(comment) = line.trim_ascii_start().strip_prefix('#') else {
        return false;
    };
    !["a2lint", "\"\"\"", "'''"]
        .iter()
        .any(|it| comment.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_comments_are_left_alone() {
        let text = "# one\n".repeat(FEW) + "x = 1\n";
        assert_eq!(without_long_comments(&text), text);
    }

    #[test]
    fn every_byte_of_a_long_comment_becomes_a_blank() {
        let text = "x = 1\n".to_owned() + &"    # größer\r\n".repeat(FEW + 1) + "y = 2  # two";
        let blanked = without_long_comments(&text);
        assert_eq!(blanked.len(), text.len());
        assert_eq!(blanked.matches('\n').count(), text.matches('\n').count());
        assert!(blanked.starts_with("x = 1\n  ") && blanked.ends_with("y = 2  # two"));
        assert_eq!(blanked.matches('#').count(), 1);
    }

    #[test]
    fn what_speaks_to_us_or_ends_a_string_stays() {
        let around = "# one\n".repeat(FEW + 1);
        for line in ["# a2lint: launch(M=64)\n", "# done \"\"\"\n", "# '''\n"] {
            let text = format!("{around}{line}{around}");
            let blanked = without_long_comments(&text);
            assert_eq!(blanked.trim(), line.trim());
        }
    }
}
