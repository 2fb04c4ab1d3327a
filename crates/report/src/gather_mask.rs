//! Text about a `GatherMask`, for `eval` and hovers.

use std::fmt::Write;

use a2lint_isa::masks::Element;
use a2lint_isa::masks::gather::{Extent, Gather, Pattern};

/// Number of repeats that are shown one by one.
const SHOWN_REPEATS: u64 = 8;
/// Number of kept elements that are listed for a repeat.
const LISTED: usize = 8;
/// Number of elements up to which those kept by a pattern in a tensor are counted.
const MAX_WALK: u64 = 1 << 22;

/// Renders the elements that each repeat takes, the length of the destination, `rsvdCnt` and the extent of the
/// source, as plain text for a fixed-width font.
pub fn render(gather: &Gather, pattern: Pattern, element: Element) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{element}, {}, {}", mode(gather), selection(pattern));
    for repeat in 0..gather.repeats().min(SHOWN_REPEATS) {
        out.push_str(&line(gather, pattern, repeat));
    }
    if gather.repeats() > SHOWN_REPEATS {
        let more = gather.repeats() - SHOWN_REPEATS;
        let _ = writeln!(out, "  … and {more} more");
    }
    let bytes = element.bytes() as u64;
    // A fixed pattern is counted by a formula, but the bits of a pattern tensor have to be counted one by one.
    if matches!(pattern, Pattern::Fixed(_)) || gather.total() <= MAX_WALK {
        let kept = gather.count(pattern);
        let _ = writeln!(out, "rsvdCnt      {kept} of {} elements", gather.total());
        let _ = writeln!(
            out,
            "destination  {kept} elements, {} bytes, without gaps",
            kept * bytes
        );
    }
    let reach = gather.source_extent();
    let _ = writeln!(
        out,
        "source       read up to element {reach}, {} bytes",
        reach * bytes
    );
    if let Pattern::Bits(held) = pattern {
        let needed = gather.pattern_extent();
        let missing = match needed > held.len() as u64 {
            true => format!(
                ", of which {} are given; bits past them keep nothing here",
                held.len()
            ),
            false => String::new(),
        };
        let _ = writeln!(out, "pattern      read up to byte {needed}{missing}");
    }
    if gather.rereads() {
        let _ = writeln!(
            out,
            "note: repeats overlap, so elements are read more than once"
        );
    }
    out
}

fn mode(gather: &Gather) -> String {
    match gather.extent {
        Extent::Normal { repeats } => {
            format!(
                "Normal mode: {repeats} x {} elements (256 bytes)",
                gather.full_repeat()
            )
        }
        Extent::PerRepeat { repeats, count } => {
            format!("Counter mode: {repeats} x {count} elements")
        }
        Extent::Total { count } => format!("Counter mode: {count} elements in all"),
    }
}

fn selection(pattern: Pattern) -> String {
    match pattern {
        Pattern::Fixed(fixed) => {
            format!(
                "pattern {} ({}, {})",
                fixed.number(),
                fixed.bits(),
                fixed.meaning()
            )
        }
        Pattern::Bits(_) => "bits of a tensor, least significant first".to_owned(),
    }
}

/// Renders a repeat: `  repeat 1  from 34  keeps 35: 34, 36, 38, … 102`, with source indices from 0.
fn line(gather: &Gather, pattern: Pattern, repeat: u64) -> String {
    let start = gather.index(repeat, 0);
    let count = gather.count_in(pattern, repeat);
    let first = gather.kept_in(pattern, repeat).take(LISTED);
    let mut listed: Vec<String> = first.map(|kept| kept.index.to_string()).collect();
    let last = gather.last_in(pattern, repeat);
    if let Some(last) = last.filter(|_| count > LISTED as u64) {
        if count > LISTED as u64 + 1 {
            listed.push("…".to_owned());
        }
        listed.push(last.index.to_string());
    }
    let list = match listed.is_empty() {
        true => String::new(),
        false => format!(": {}", listed.join(", ")),
    };
    format!("  repeat {repeat}  from element {start}  keeps {count}{list}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_isa::masks::gather::FixedPattern;

    #[test]
    fn the_second_example_in_both_configurations() {
        let bytes = [0xAA; 128];
        let mut gather = Gather {
            element_bytes: 4,
            extent: Extent::PerRepeat {
                repeats: 2,
                count: 70,
            },
            block_stride: 1,
            repeat_stride: 4,
            pattern_stride: 0,
        };
        let text = render(&gather, Pattern::Bits(&bytes), Element::UInt32);
        let expected = "\
uint32_t, Counter mode: 2 x 70 elements, bits of a tensor, least significant first
  repeat 0  from element 0  keeps 35: 1, 3, 5, 7, 9, 11, 13, 15, …, 69
  repeat 1  from element 32  keeps 35: 33, 35, 37, 39, 41, 43, 45, 47, …, 101
rsvdCnt      70 of 140 elements
destination  70 elements, 280 bytes, without gaps
source       read up to element 102, 408 bytes
pattern      read up to byte 9
note: repeats overlap, so elements are read more than once
";
        assert_eq!(text, expected);
        gather.extent = Extent::Total { count: 70 };
        let text = render(&gather, Pattern::Bits(&bytes), Element::UInt32);
        assert!(
            text.contains("keeps 3: 33, 35, 37\nrsvdCnt      35 of 70 elements"),
            "{text}"
        );
    }

    #[test]
    fn enormous_calls_are_shown_in_bounds() {
        let gather = Gather {
            element_bytes: 2,
            extent: Extent::Normal { repeats: 65535 },
            block_stride: 255,
            repeat_stride: 65535,
            pattern_stride: 255,
        };
        let pattern = Pattern::Fixed(FixedPattern::ALL);
        let text = render(&gather, pattern, Element::Half);
        assert!(
            text.contains("… and 65527 more") && text.lines().count() < 20,
            "{text}"
        );
    }
}
