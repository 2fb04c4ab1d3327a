//! Products that mask instructions are written for, as far as they differ.

use std::path::Path;

use crate::device::{Device, unified_buffer};

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

impl Target {
    /// The target that a name in `--device` or a comment means.
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

    /// The targets that the folders of a file are named for, the innermost first to be asked; none of
    /// ours for another architecture, `None` where they name none.
    pub fn of_folders(path: &Path) -> Option<Vec<Target>> {
        let folders = path.parent()?.iter().rev();
        let mut named = folders.filter_map(|folder| Target::of_folder(folder.to_str()?));
        named.next().map(|target| target.into_iter().collect())
    }

    /// The target that a folder is named for, if it is named for one.
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
        unified_buffer(self).bytes
    }

    /// Bytes of UB below those that the tile library uses itself.
    pub fn free_ub_bytes(self) -> i64 {
        let buffer = unified_buffer(self);
        buffer.bytes - buffer.library_scratch
    }

    /// Whether the mask argument of GatherMask in Counter mode counts all elements, not those of
    /// each repeat.
    pub fn counts_in_total(self) -> bool {
        self == Target::Inference
    }

    /// Whether TSEL takes elements of so many bytes by its header.
    pub fn selects(self, bytes: i64) -> bool {
        match bytes {
            2 | 4 => true,
            1 => matches!(self, Target::A5 | Target::Kirin | Target::Cpu),
            8 => self == Target::A5,
            _ => false,
        }
    }

    /// Whether TSEL and TSELS need their scratch tile; the others ignore it.
    pub fn selects_with_scratch(self) -> bool {
        self == Target::A2A3
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

/// What a file is meant for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    list: Vec<Target>,
    named: Named,
}

/// Who says what a file is meant for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Named {
    /// Nobody.
    #[default]
    Open,
    /// The folders that it is in.
    ByFolder,
    /// The file itself.
    ByFile,
}

/// On which targets something holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Those where it holds; never empty.
    pub holds: Vec<Target>,
    /// Those of an open file where it does not.
    pub fails: Vec<Target>,
}

impl Targets {
    /// Those that the file names; without any, those of its folders, and otherwise all of
    /// `candidates`, A2 and A3 first.
    pub fn of(named: Vec<Target>, folders: Option<&[Target]>, candidates: &[Target]) -> Self {
        let (list, named) = match (named.is_empty(), folders) {
            (false, _) => (named, Named::ByFile),
            (true, Some(folders)) => (folders.to_vec(), Named::ByFolder),
            (true, None) => (candidates.to_vec(), Named::Open),
        };
        Self { list, named }
    }

    /// Whether the file says what it is meant for.
    pub fn are_named(&self) -> bool {
        self.named == Named::ByFile
    }

    /// Whether somebody says it, the file or its folders.
    pub fn are_said(&self) -> bool {
        self.named != Named::Open
    }

    /// The product that code is read for where it asks the compiler for one: A2 and A3 unless somebody
    /// says otherwise; `None` where several are meant, or the simulator.
    pub fn compiled_for(&self) -> Option<Target> {
        match (self.named, self.list.as_slice()) {
            (_, list) if list.contains(&Target::Cpu) => None,
            (Named::Open, list) => list.contains(&Target::default()).then(Target::default),
            (_, [only]) => Some(*only),
            _ => None,
        }
    }

    /// Whether the simulator may be meant to run the file as well.
    pub fn may_be_simulated(&self) -> bool {
        self.named != Named::ByFolder || self.list.contains(&Target::Cpu)
    }

    /// The targets.
    pub fn iter(&self) -> impl Iterator<Item = Target> + use<'_> {
        self.list.iter().copied()
    }

    /// The one that explanations are about.
    pub fn first(&self) -> Target {
        self.list.first().copied().unwrap_or_default()
    }

    /// Whether the file names this target.
    pub fn name(&self, target: Target) -> bool {
        self.are_named() && self.list.contains(&target)
    }

    /// Adds a target to those that are there.
    pub fn add(&mut self, target: Target) {
        if !self.list.contains(&target) {
            self.list.push(target);
        }
    }

    /// Where something holds. A target that the file or its folder names is enough. A file that names none may be
    /// meant for A2 and A3, so what does not hold there is nothing to speak of; the simulator is no
    /// product and has no say.
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
    /// Whether it holds for everything that the file leaves open.
    pub fn is_certain(&self) -> bool {
        self.fails.is_empty()
    }

    /// The first target where it holds.
    pub fn example(&self) -> Target {
        self.holds.first().copied().unwrap_or_default()
    }

    /// `on A2/A3 and 200I/500 A2, not on A5 (950)`.
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
