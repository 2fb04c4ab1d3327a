//! Defines the products that mask instructions are written for, and their differences.

use std::path::Path;

use crate::device::{Device, unified_buffer};

crate::named! {
    /// A family of products, or a simulator.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Target {
        /// Atlas A2 and A3: Ascend 910B and 910C.
        #[default]
        A2A3 = "A2/A3",
        /// Atlas inference products: Ascend 310P.
        Inference = "inference products (310P)",
        /// Atlas 200I/500 A2: Ascend 310B.
        Edge = "200I/500 A2",
        /// A5: Ascend 950.
        A5 = "A5 (950)",
        /// Kirin 9030 and X90.
        Kirin = "Kirin 9030",
        /// The CPU simulator of the tile library.
        Cpu = "the CPU simulator",
    }
    /// Returns the name in messages.
    fn name
}

impl Target {
    /// Returns the target that a name in `--device` or a comment means.
    pub fn from_name(name: &str) -> Option<Target> {
        let name = name.to_ascii_lowercase();
        let name = name.strip_prefix("ascend").unwrap_or(&name);
        if let Some(device) = Device::from_name(name) {
            return Some(device.family);
        }
        Some(match name {
            "a2" | "910b" | "910c" | "910_93" => Target::A2A3,
            "310p" | "inference" => Target::Inference,
            "310b" | "200i" | "500" | "edge" => Target::Edge,
            "a5" | "950" | "910_95" => Target::A5,
            "kirin9030" | "x90" | "kirin" => Target::Kirin,
            "cpu" => Target::Cpu,
            _ => return None,
        })
    }

    /// Returns the targets of the innermost folder of a file that is named after an architecture; an empty
    /// list if that architecture is not modelled, `None` if there is no such folder.
    pub fn of_folders(path: &Path) -> Option<Vec<Target>> {
        let folders = path.parent()?.iter().rev();
        let mut named = folders.filter_map(|folder| Target::of_folder(folder.to_str()?));
        named.next().map(|target| target.into_iter().collect())
    }

    /// Returns the target that a folder is named after: `Some(None)` for an architecture that is not
    /// modelled, `None` for any other name.
    fn of_folder(name: &str) -> Option<Option<Target>> {
        Some(match name.to_ascii_lowercase().as_str() {
            "a2" | "a3" | "a2a3" | "arch22" | "npu_arch_2201" | "dav_2201" | "dav_c220"
            | "ascend910b" | "ascend910_93" => Some(Target::A2A3),
            "arch20" | "npu_arch_2002" | "dav_2002" | "dav_m200" | "ascend310p" => {
                Some(Target::Inference)
            }
            "ascend310b" => Some(Target::Edge),
            "a5" | "arch35" | "npu_arch_3510" | "dav_3510" | "ascend950" | "ascend910_95" => {
                Some(Target::A5)
            }
            "kirin" | "kirin9030" | "kirinx90" => Some(Target::Kirin),
            "cpu" => Some(Target::Cpu),
            "a6" | "costmodel" | "kirindev0000" | "npu_arch_5102" | "ascend910" | "dav_c100"
            | "dav_m300" | "dav_m310" | "dav_m510" | "dav_l300" | "dav_l311" => None,
            _ => return None,
        })
    }

    /// Returns the bytes of UB.
    pub fn ub_bytes(self) -> i64 {
        unified_buffer(self).bytes
    }

    /// Returns the bytes of UB without those that the tile library reserves.
    pub fn free_ub_bytes(self) -> i64 {
        let buffer = unified_buffer(self);
        buffer.bytes - buffer.library_scratch
    }

    /// Returns whether the mask argument of GatherMask in Counter mode counts all elements rather than those
    /// of each repeat.
    pub fn counts_in_total(self) -> bool {
        self == Target::Inference
    }

    /// Returns whether the header of TSEL admits elements of this number of bytes.
    pub fn selects(self, bytes: i64) -> bool {
        match bytes {
            2 | 4 => true,
            1 => matches!(self, Target::A5 | Target::Kirin | Target::Cpu),
            8 => self == Target::A5,
            _ => false,
        }
    }

    /// Returns whether TSEL and TSELS need their scratch tile; other targets ignore it.
    pub fn selects_with_scratch(self) -> bool {
        self == Target::A2A3
    }

    /// Returns the targets that a comment `a2lint: device NAME, NAME` names; empty without such a comment.
    pub fn named_in(text: &str) -> Vec<Target> {
        let mut found = Vec::new();
        for line in text.lines() {
            let Some((before, names)) = line.split_once("a2lint: device ") else {
                continue;
            };
            // Only after the start of a comment: `//`, `#`, `/*`, or the `*` of a further line.
            if !before.trim_end().ends_with(['/', '#', '*']) {
                continue;
            }
            // The list ends at the first word that names no target, so that text may follow.
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

/// The targets of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    list: Vec<Target>,
    named: Named,
}

/// The source of the targets of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Named {
    /// Neither the file nor its folders name a target.
    #[default]
    Open,
    /// The folders of the file name the targets.
    ByFolder,
    /// The file names the targets.
    ByFile,
}

/// The targets on which a property holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The targets where it holds; never empty.
    pub holds: Vec<Target>,
    /// The targets of a file without named targets where it does not hold.
    pub fails: Vec<Target>,
}

impl Targets {
    /// Returns the targets that the file names; without any, those of its folders; otherwise all of
    /// `candidates`, which start with A2 and A3.
    pub fn of(named: Vec<Target>, folders: Option<&[Target]>, candidates: &[Target]) -> Self {
        let (list, named) = match (named.is_empty(), folders) {
            (false, _) => (named, Named::ByFile),
            (true, Some(folders)) => (folders.to_vec(), Named::ByFolder),
            (true, None) => (candidates.to_vec(), Named::Open),
        };
        Self { list, named }
    }

    /// Returns whether the file names its targets.
    pub fn are_named(&self) -> bool {
        self.named == Named::ByFile
    }

    /// Returns whether the file or its folders name the targets.
    pub fn are_said(&self) -> bool {
        self.named != Named::Open
    }

    /// Returns the target for which preprocessor conditions are evaluated: the only target, or A2 and A3 if
    /// none is named; `None` for several targets, or the simulator.
    pub fn compiled_for(&self) -> Option<Target> {
        match (self.named, self.list.as_slice()) {
            (_, list) if list.contains(&Target::Cpu) => None,
            // A file without named targets is preprocessed for the default product only.
            (Named::Open, list) => list.contains(&Target::default()).then(Target::default),
            (_, [only]) => Some(*only),
            _ => None,
        }
    }

    /// Returns whether the file may also be meant for the simulator.
    pub fn may_be_simulated(&self) -> bool {
        self.named != Named::ByFolder || self.list.contains(&Target::Cpu)
    }

    /// Returns the targets.
    pub fn iter(&self) -> impl Iterator<Item = Target> + use<'_> {
        self.list.iter().copied()
    }

    /// Returns the target that explanations refer to.
    pub fn first(&self) -> Target {
        self.list.first().copied().unwrap_or_default()
    }

    /// Returns whether the file names this target.
    pub fn name(&self, target: Target) -> bool {
        self.are_named() && self.list.contains(&target)
    }

    /// Adds a target, unless it is present.
    pub fn add(&mut self, target: Target) {
        if !self.list.contains(&target) {
            self.list.push(target);
        }
    }

    /// Returns the targets where a property holds; `None` if it is not to be reported. A single target that
    /// the file or its folder names suffices. Without named targets the property has to hold on A2 and A3,
    /// the default. The simulator is no product and does not count.
    pub fn judge(&self, holds: impl Fn(Target) -> bool) -> Option<Verdict> {
        let devices = self.iter().filter(|&target| target != Target::Cpu);
        let (holding, failing): (Vec<_>, Vec<_>) = devices.partition(|&target| holds(target));
        let speaks = match self.named {
            Named::Open => holding.contains(&Target::default()),
            Named::ByFolder | Named::ByFile => !holding.is_empty(),
        };
        speaks.then(|| Verdict {
            holds: holding,
            fails: match self.named {
                Named::Open => failing,
                Named::ByFolder | Named::ByFile => Vec::new(),
            },
        })
    }
}

impl Verdict {
    /// Returns whether the property holds on all targets of the file.
    pub fn is_certain(&self) -> bool {
        self.fails.is_empty()
    }

    /// Returns the first target where it holds.
    pub fn example(&self) -> Target {
        self.holds.first().copied().unwrap_or_default()
    }

    /// Returns the verdict in words: `on A2/A3 and 200I/500 A2, not on A5 (950)`.
    pub fn reading(&self) -> String {
        format!("on {}, not on {}", list(&self.holds), list(&self.fails))
    }
}

fn list(targets: &[Target]) -> String {
    let names: Vec<&str> = targets.iter().map(|target| target.name()).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_files_are_judged_by_all_products() {
        let open = Targets::of(vec![], None, &[Target::A2A3, Target::Inference]);
        assert_eq!(open.judge(|target| target == Target::Inference), None);
        let verdict = open.judge(|target| target == Target::A2A3).unwrap();
        assert!(!verdict.is_certain());
        assert_eq!(
            verdict.reading(),
            "on A2/A3, not on inference products (310P)"
        );
        assert!(open.judge(|_| true).unwrap().is_certain());
        let named = Targets::of(vec![Target::Inference, Target::A2A3], None, &[]);
        let verdict = named.judge(|target| target == Target::Inference).unwrap();
        assert!(verdict.is_certain());
    }

    #[test]
    fn folders_name_targets() {
        let of = |path: &str| Target::of_folders(Path::new(path));
        assert_eq!(of("tests/npu/a5/tsel/kernel.cpp"), Some(vec![Target::A5]));
        assert_eq!(of("arch22/a5/kernel.h"), Some(vec![Target::A5]));
        assert_eq!(of("tests/npu/a6/kernel.cpp"), Some(vec![]));
        assert_eq!(of("src/a5.cpp"), None);
        let folders = of("arch35/kernel.h");
        let found = Targets::of(vec![], folders.as_deref(), &[Target::A2A3, Target::A5]);
        assert_eq!(found.judge(|target| target == Target::A2A3), None);
        assert!(found.judge(|_| true).unwrap().is_certain());
        let said = Targets::of(vec![Target::A2A3], folders.as_deref(), &[]);
        assert_eq!(said.judge(|target| target == Target::A5), None);
        let elsewhere = Targets::of(vec![], Some(&[]), &[Target::A2A3]);
        assert_eq!(elsewhere.judge(|_| true), None);
    }

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
