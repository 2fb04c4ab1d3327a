//! What the kernels of a file may take together: one of them has bounds of its own, a file may have a great many.

/// Kernels of a file that are traced.
const MAX_KERNELS: u32 = 1_024;
/// Statements of all kernels of a file together.
const MAX_STATEMENTS: u64 = 200_000;
/// Evaluation steps of all kernels of a file together.
const MAX_STEPS: u64 = 16_000_000;

/// What the kernels of a file have taken until now.
#[derive(Debug, Default)]
pub(super) struct Budget {
    kernels: u32,
    statements: u64,
    steps: u64,
    /// Kernels that were left out, and the bound that was reached first.
    left_out: Option<(u32, String)>,
}

impl Budget {
    /// Whether another kernel may be traced; one that may not is counted.
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
            Some((count, _)) => *count += 1,
            None => self.left_out = Some((1, format!("{most} {what} before"))),
        }
        false
    }

    /// Adds what a kernel took.
    pub fn spend(&mut self, statements: u32, steps: u32) {
        self.kernels += 1;
        self.statements += u64::from(statements);
        self.steps += u64::from(steps);
    }

    /// Says how many kernels were left out, and why; `None` where none was.
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
