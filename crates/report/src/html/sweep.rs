//! The times of a kernel over one of its sizes, for the page to plot.

use serde_json::{Value, json};

use a2lint_machine::{Bound, Estimate};

/// A kernel at several values of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The name of the size.
    pub name: String,
    /// The times, in the order of the values.
    pub points: Vec<Point>,
}

/// A kernel at one value of the size.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The value.
    pub value: f64,
    /// The time; `None` if the kernel was not run.
    pub time: Option<Time>,
    /// The reason why there is no time, or why it is unreliable.
    pub remark: Option<String>,
}

/// The time of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// Time in microseconds.
    pub microseconds: f64,
    /// Time in cycles.
    pub cycles: i64,
    /// The resource that limits the kernel.
    pub bound: Option<Bound>,
}

impl Time {
    /// Returns the time of an estimate.
    pub fn of(estimate: &Estimate) -> Time {
        Time {
            microseconds: estimate.microseconds(),
            cycles: estimate.cycles,
            bound: estimate.bound(),
        }
    }
}

impl Sweep {
    /// Returns whether each value is the previous one times a constant factor.
    fn multiplies(&self) -> bool {
        let values: Vec<f64> = self.points.iter().map(|point| point.value).collect();
        let [first, second, third, ..] = values[..] else {
            return false;
        };
        // Three values are enough: the syntax of sweeps has only a constant factor or a constant step.
        first > 0.0 && (second / first - third / second).abs() < 1e-9
    }

    /// Returns the data for the script of the page.
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

/// Returns the name of the mark for a limiting resource.
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
