//! The time of a kernel over one of its sizes, for the page to draw.

use serde_json::{Value, json};

use a2lint_machine::{Bound, Estimate};

/// A kernel at several values of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The size.
    pub name: String,
    /// What the kernel takes, in the order of its values.
    pub points: Vec<Point>,
}

/// A kernel at one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The value.
    pub value: f64,
    /// What it takes. `None` where it was not run.
    pub time: Option<Time>,
    /// Why there is no time, or why it is not to be relied on.
    pub remark: Option<String>,
}

/// What a kernel takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// Microseconds.
    pub microseconds: f64,
    /// Cycles.
    pub cycles: i64,
    /// What limits it.
    pub bound: Option<Bound>,
}

impl Time {
    /// Of an estimate.
    pub fn of(estimate: &Estimate) -> Time {
        Time {
            microseconds: estimate.microseconds(),
            cycles: estimate.cycles,
            bound: estimate.bound(),
        }
    }
}

impl Sweep {
    /// Whether each value is the one before times the same factor.
    fn multiplies(&self) -> bool {
        let values: Vec<f64> = self.points.iter().map(|point| point.value).collect();
        let [first, second, third, ..] = values[..] else {
            return false;
        };
        first > 0.0 && (second / first - third / second).abs() < 1e-9
    }

    /// As the script of the page reads it.
    pub(super) fn json(&self) -> Value {
        let points: Vec<Value> = self.points.iter().map(Point::json).collect();
        json!({ "name": self.name, "multiplies": self.multiplies(), "points": points })
    }
}

impl Point {
    fn json(&self) -> Value {
        let time = self.time.as_ref();
        let bound = time.and_then(|time| time.bound);
        json!({
            "value": self.value,
            "microseconds": time.map(|time| time.microseconds),
            "cycles": time.map(|time| time.cycles),
            "bound": bound.map(|bound| bound.describe()),
            "kind": bound.map(kind),
            "remark": self.remark,
        })
    }
}

/// Which mark stands for what limits a kernel.
fn kind(bound: Bound) -> &'static str {
    match bound {
        Bound::Memory => "memory",
        Bound::Pipe(_) => "pipe",
        Bound::Latency => "latency",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn multiplies(values: &[f64]) -> bool {
        let points = values.iter().map(|&value| Point {
            value,
            time: None,
            remark: None,
        });
        let sweep = Sweep {
            name: "M".to_owned(),
            points: points.collect(),
        };
        sweep.multiplies()
    }

    #[test]
    fn steps_are_sums_or_products() {
        assert!(multiplies(&[1.0, 2.0, 4.0]));
        assert!(!multiplies(&[1.0, 2.0, 3.0]));
        assert!(!multiplies(&[0.0, 0.0, 0.0]) && !multiplies(&[1.0, 2.0]));
    }
}
