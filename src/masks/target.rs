//! Products that mask instructions are written for, as far as they differ.

/// A family of products, or a simulator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Target {
    /// Atlas A2 and A3: Ascend 910B and 910C.
    #[default]
    A2A3,
    /// Atlas inference products: Ascend 310P.
    Inference,
    /// Atlas 200I/500 A2: Ascend 310B.
    Edge,
    /// A5: Ascend 950.
    A5,
    /// Kirin 9030 and X90.
    Kirin,
    /// The CPU simulator of the tile library.
    Cpu,
}

/// One kilobyte.
const KB: i64 = 1024;
/// Bytes at the top of UB that the tile library keeps for itself on A2 and A3.
const LIBRARY_SCRATCH: i64 = 8 * KB;

impl Target {
    /// The target that a name in `--device` or a comment means.
    pub fn from_name(name: &str) -> Option<Target> {
        let name = name.to_ascii_lowercase();
        let name = name.strip_prefix("ascend").unwrap_or(&name);
        Some(match name {
            "a2" | "a3" | "b1" | "b2" | "b3" | "b4" | "910b" | "910c" | "910_93" => Target::A2A3,
            "310p" | "inference" => Target::Inference,
            "310b" | "200i" | "500" | "edge" => Target::Edge,
            "a5" | "950" | "910_95" => Target::A5,
            "kirin9030" | "x90" | "kirin" => Target::Kirin,
            "cpu" => Target::Cpu,
            _ => return None,
        })
    }

    /// How messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Target::A2A3 => "A2/A3",
            Target::Inference => "inference products (310P)",
            Target::Edge => "200I/500 A2",
            Target::A5 => "A5 (950)",
            Target::Kirin => "Kirin 9030",
            Target::Cpu => "the CPU simulator",
        }
    }

    /// Bytes of UB.
    pub fn ub_bytes(self) -> i64 {
        match self {
            Target::A2A3 | Target::Cpu => 192 * KB,
            Target::Inference | Target::Edge | Target::A5 => 256 * KB,
            Target::Kirin => 128 * KB,
        }
    }

    /// Bytes of UB below those that the tile library uses itself.
    pub fn free_ub_bytes(self) -> i64 {
        match self {
            Target::A2A3 => self.ub_bytes() - LIBRARY_SCRATCH,
            _ => self.ub_bytes(),
        }
    }

    /// Whether the mask argument of GatherMask in Counter mode counts all elements, not those of
    /// each repeat.
    pub fn counts_in_total(self) -> bool {
        self == Target::Inference
    }

    /// The targets that a comment `a2lint: device NAME, NAME` names; empty without one.
    pub fn named_in(text: &str) -> Vec<Target> {
        let mut found = Vec::new();
        for line in text.lines() {
            let Some((before, names)) = line.split_once("a2lint: device ") else {
                continue;
            };
            if !before.trim_end().ends_with(['/', '#', '*']) {
                continue;
            }
            let names = names.split([',', ' ', '\t']).map(str::trim);
            for target in names.map_while(|name| match name {
                "" => Some(None),
                name => Target::from_name(name).map(Some),
            }) {
                if let Some(target) = target.filter(|target| !found.contains(target)) {
                    found.push(target);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_targets() {
        let text = "// a2lint: device a5\nint x; // a2lint: device 310p, b3 for both\n";
        assert_eq!(
            Target::named_in(text),
            [Target::A5, Target::Inference, Target::A2A3]
        );
        assert_eq!(Target::named_in("s = \"a2lint: device a5\""), []);
        assert_eq!(Target::from_name("Ascend910B"), Some(Target::A2A3));
    }
}
