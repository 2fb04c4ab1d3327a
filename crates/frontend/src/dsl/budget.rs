//! Bounds for all kernels of a file together. Each kernel has bounds of its own, but a file may have many kernels.

/// Maximum number of kernels of a file that are traced.
const MAX_KERNELS: u32 = 1_024;
/// Maximum number of statements of all kernels of a file together.
const MAX_STATEMENTS: u64 = 200_000;
/// Maximum number of evaluation steps of all kernels of a file together.
const MAX_STEPS: u64 = 16_000_000;

/// The resources that the kernels of a file have used so far.
#[derive(Debug, Default)]
pub(super) struct Budget {
    kernels: u32,
    statements: u64,
    steps: u64,
    /// Number of kernels that were left out, and the bound that was reached first.
    left_out: Option<(u32, String)>,
}

impl Budget {
    /// Returns whether another kernel may be traced. A kernel that is refused is counted.
    pub fn admits_another(&mut self) -> bool {
        let bounds = [
            (
                u64::from(self.kernels),
                u64::from(MAX_KERNELS),
                "kernels were traced",
            ),
            (self.statements, MAX_STATEMENTS, "statements were traced"),
            (self.steps, MAX_STEPS, "steps were evaluated"),
        ];
        let reached = bounds.into_iter().find(|(taken, most, _)| taken >= most);
        let Some((_, most, what)) = reached else {
            return true;
        };
        match &mut self.left_out {
            // The first bound stays the reason: later kernels are refused for the same one.
            Some((count, _)) => *count += 1,
            None => self.left_out = Some((1, format!("{most} {what} before"))),
        }
        false
    }

    /// Accounts for a traced kernel.
    pub fn spend(&mut self, statements: u32, steps: u32) {
        self.kernels += 1;
        self.statements += u64::from(statements);
        self.steps += u64::from(steps);
    }

    /// Returns the sentence that says how many kernels were left out and why; `None` if none was.
    pub fn refusal(&self) -> Option<String> {
        let (count, why) = self.left_out.as_ref()?;
        let kernels = if *count == 1 {
            "kernel was"
        } else {
            "kernels were"
        };
        Some(format!("{count} further {kernels} left out: {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_leaves_out_what_comes_after() {
        let full = |statements: u32, steps: u32, kernels: u32| {
            let mut budget = Budget::default();
            for _ in 0..kernels {
                assert!(budget.admits_another());
                budget.spend(statements, steps);
            }
            assert!(!budget.admits_another());
            assert!(!budget.admits_another());
            budget.refusal().expect("a refusal")
        };
        let refusal = full(0, 0, MAX_KERNELS);
        assert_eq!(
            refusal,
            "2 further kernels were left out: 1024 kernels were traced before"
        );
        assert!(full(100_000, 0, 2).ends_with("200000 statements were traced before"));
        assert!(full(0, 2_000_000, 8).ends_with("16000000 steps were evaluated before"));
    }
}
