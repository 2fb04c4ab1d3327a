//! Parses the values of a scalar to compare: `M=1024..8192:x2`.

use super::spec::{number, pair, whole};

/// Upper bound on the values of a sweep.
const MOST_VALUES: usize = 64;

/// Parses `NAME=NUMBER`, `NAME=FIRST..LAST:xFACTOR` or `NAME=FIRST..LAST:+STEP`. `LAST` is included.
pub fn sweep(text: &str) -> Result<(String, Vec<f64>), String> {
    let (name, value) = pair(text)?;
    let Some((first, rest)) = value.split_once("..") else {
        return Ok((name, vec![number(value)?]));
    };
    let (last, step) = rest.split_once(':').unwrap_or((rest, "x2"));
    let (first, last): (i64, i64) = (whole(first)?, whole(last)?);
    let next: Box<dyn Fn(i64) -> Option<i64>> = match step.split_at_checked(1) {
        Some(("x", factor)) => {
            let factor: i64 = whole(factor)?;
            Box::new(move |value| value.checked_mul(factor))
        }
        Some(("+", step)) => {
            let step: i64 = whole(step)?;
            Box::new(move |value| value.checked_add(step))
        }
        _ => return Err(format!("`{step}` is neither xFACTOR nor +STEP")),
    };
    let mut values = Vec::new();
    let mut value = Some(first);
    while let Some(here) = value.filter(|here| *here <= last) {
        if values.len() >= MOST_VALUES {
            return Err(format!("`{rest}` has more than {MOST_VALUES} values"));
        }
        values.push(here as f64);
        if here == last {
            break;
        }
        value = next(here);
        if value.is_some_and(|next| next <= here) {
            return Err(format!("`{step}` does not lead from {first} to {last}"));
        }
    }
    match values.is_empty() {
        true => Err(format!("no value is between {first} and {last}")),
        false => Ok((name, values)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        let (name, values) = sweep(text).expect(text);
        assert_eq!(name, "M");
        values
    }

    #[test]
    fn sweeps_multiply_or_add() {
        assert_eq!(values("M=3"), [3.0]);
        assert_eq!(values("M=1..8:x2"), [1.0, 2.0, 4.0, 8.0]);
        assert_eq!(values("M=1024..4096"), [1024.0, 2048.0, 4096.0]);
        assert_eq!(values("M=100..350:+100"), [100.0, 200.0, 300.0]);
        assert_eq!(values("M=5..5:x1"), [5.0]);
    }

    #[test]
    fn sweeps_that_do_not_end_are_refused() {
        for text in [
            "M=0..8:x2",
            "M=1..8:x1",
            "M=1..8:+0",
            "M=8..1",
            "M=1..9:2",
            "M=1..8:",
            "M=1..99:+1",
        ] {
            assert!(sweep(text).is_err(), "{text}");
        }
        assert_eq!(
            values("M=4611686018427387904..9223372036854775807:x2").len(),
            1
        );
    }
}
