//! Kernels: which functions are entries, how they are started, and what their parameters are.

use a2lint_cpp::eval::names_in_block;
use a2lint_cpp::syntax::ast::{Function, Stmt, StmtKind, Unit};
use a2lint_source::text::{Slice, SourceText, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

use super::project::texts::{calls, is_part, places};

/// The type of a kernel: which cubes and vec lanes of a core execute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelType {
    /// Number of cubes of a core that execute it: 0 or 1.
    pub cubes: u32,
    /// Number of vec lanes of a core that execute it.
    pub vecs: u32,
    /// Whether the kernel type (`AIV_ONLY`, `AIC_ONLY`) has no flags between cores, so that its cores may run one after
    /// the other. It is false without a declared type, since the compiler then infers one.
    pub starts_in_parts: bool,
}

impl KernelType {
    const VEC_ONLY: KernelType = KernelType::of_lanes(0, 1);
    const CUBE_ONLY: KernelType = KernelType::of_lanes(1, 0);
    const MIXED: KernelType = KernelType::of_lanes(1, 2);

    const fn of_lanes(cubes: u32, vecs: u32) -> KernelType {
        KernelType {
            cubes,
            vecs,
            starts_in_parts: false,
        }
    }

    const fn in_parts(self) -> KernelType {
        KernelType {
            starts_in_parts: true,
            ..self
        }
    }

    /// Returns whether both sides execute it.
    pub fn is_mixed(self) -> bool {
        self.cubes > 0 && self.vecs > 0
    }

    /// Returns whether one of the two vec lanes of a core is idle.
    pub fn has_idle_vec(self) -> bool {
        self.cubes == 1 && self.vecs == 1
    }

    /// Returns the number of vec lanes of a core that execute it; 1 if it is started on vec cores alone.
    pub fn vecs_of_core(self) -> i64 {
        i64::from(self.vecs.max(1))
    }

    /// Returns the type of an entry: from its attributes, else from its body (`KERNEL_TASK_TYPE`), else from the sides
    /// that its texts mention.
    pub fn of(entry: &Function, body: &str, words: Words, key: Option<u64>) -> KernelType {
        for (attribute, _) in &entry.attributes {
            match attribute.as_ref() {
                "__vector__" => return KernelType::VEC_ONLY.in_parts(),
                "__cube__" => return KernelType::CUBE_ONLY.in_parts(),
                mix if mix.starts_with("__mix__") => {
                    let numbers: Vec<u32> = mix
                        .split(|c: char| !c.is_ascii_digit())
                        .filter_map(|it| it.parse().ok())
                        .collect();
                    if let [cubes, vecs] = numbers[..] {
                        return KernelType::of_lanes(cubes, vecs);
                    }
                }
                _ => {}
            }
        }
        let compiled = names_in(entry);
        let is_compiled =
            |word: &str| compiled.contains(word.split("::").next().unwrap_or_default());
        let is_left_out = |word: &str| {
            let mut types = types_in(body).map(|(_, of)| of);
            types.any(|of| of == word && !is_compiled(of))
        };
        // A call for this key or for all keys decides; otherwise the body may name the type in another macro.
        let own = said_for(body, key, &is_compiled);
        let said = |word: &str| match own {
            Some(of) => of.contains(word),
            None => is_compiled(word) || (body.contains(word) && !is_left_out(word)),
        };
        // Plain text search, since the macro may be wrapped in others that no text here defines.
        if said("KERNEL_TYPE_MIX_AIC_1_2") {
            return KernelType::MIXED;
        }
        if said("KERNEL_TYPE_MIX_AIC_1_1") {
            return KernelType::of_lanes(1, 1);
        }
        if said("KERNEL_TYPE_MIX_AIC_1_0") {
            return KernelType::CUBE_ONLY;
        }
        if said("KERNEL_TYPE_MIX_AIV_1_0") {
            return KernelType::VEC_ONLY;
        }
        if said("KERNEL_TYPE_AIC_ONLY") {
            return KernelType::CUBE_ONLY.in_parts();
        }
        if said("KERNEL_TYPE_AIV_ONLY") {
            return KernelType::VEC_ONLY.in_parts();
        }
        match words {
            // The compiler infers the type from the instructions of each side; these words approximate that.
            Words { cube: false, .. } => KernelType::VEC_ONLY,
            Words { vec: false, .. } => KernelType::CUBE_ONLY,
            Words { .. } => KernelType::MIXED,
        }
    }
}

/// Returns the names in the body of an entry as it is compiled, without the branches that the preprocessor leaves out.
fn names_in(entry: &Function) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    names_in_block(entry.body.as_deref().unwrap_or_default(), &mut |name| {
        names.insert(name.to_string());
    });
    names
}

/// Returns the kernel types that the text of a body sets, each with the tiling key that it is for, if it is for one.
fn types_in(body: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let of_key = calls(body, "KERNEL_TASK_TYPE").filter_map(|arguments| match arguments[..] {
        [key, of] => Some((Some(key.trim_end_matches(['u', 'U', 'l', 'L'])), of)),
        _ => None,
    });
    let of_all = calls(body, "KERNEL_TASK_TYPE_DEFAULT");
    of_key.chain(of_all.filter_map(|arguments| Some((None, *arguments.first()?))))
}

/// Returns the text of the kernel type that a body sets for a tiling key (`KERNEL_TASK_TYPE`); `None` if it sets none.
fn said_for<'t>(
    body: &'t str,
    key: Option<u64>,
    is_compiled: &dyn Fn(&str) -> bool,
) -> Option<&'t str> {
    let key = key?.to_string();
    let types = || types_in(body).filter(|(_, of)| is_compiled(of));
    let of_key = types().find(|(of, _)| *of == Some(key.as_str()));
    let of_all = || types().find(|(of, _)| of.is_none());
    of_key.or_else(of_all).map(|(_, of)| of)
}

/// Returns the names of the entries in a text by a text search, without parsing it.
pub fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for at in places(text, ENTRY) {
        let rest = text.part(at..);
        // The name is the last word before the parameters; attributes may precede it.
        let head = rest.part(..rest.find('(').unwrap_or(rest.len())).trim_end();
        let name = head.part(head.rfind(|c| !is_part(c)).map_or(0, |it| it + 1)..);
        names.push(name.to_owned());
    }
    names
}

/// The attribute of an entry.
const ENTRY: &str = "__global__";

/// Returns whether texts that are compiled together may define an entry. The attribute may be in a macro of a header,
/// but then that header has the word.
pub fn may_have<'t>(mut texts: impl Iterator<Item = &'t str>) -> bool {
    texts.any(|text| text.contains(ENTRY))
}

/// Word occurrences in the texts of a kernel that tell which sides execute it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words {
    /// Whether the texts use something that only the cube has.
    pub cube: bool,
    /// Whether the texts use something that only vec cores have, or distinguish the sides.
    pub vec: bool,
    /// Whether the texts are compiled for each side separately (`__DAV_C220_VEC__`).
    pub are_sided: bool,
    /// Whether the texts read the accumulator register of `ReduceSum`.
    pub sums: bool,
    /// Whether the texts ask for the cube, and whether they call what it can do.
    asks_for_cube: bool,
    calls_cube: bool,
}

impl Words {
    /// Adds those of a text.
    pub fn add(&mut self, text: &str) {
        const CUBE: &[&str] = &["Mmad(", "Fixpipe", "REGIST_MATMUL_OBJ"];
        // `if ASCEND_IS_AIC { return; }` alone gives the cube nothing to do.
        const OF_CUBE: &[&str] = &[
            "LoadData",
            "mad(",
            "Matmul",
            "matmul::",
            "CrossCore",
            "ffts",
            "SyncAll<false>",
            "NotifyEvent",
            "WaitEvent",
            "wait_flag_dev",
        ];
        const VEC: &[&str] = &[
            "ASCEND_IS_AI",
            "g_coreType",
            "VECIN",
            "VECOUT",
            "VECCALC",
            "REGIST_MATMUL_OBJ",
        ];
        const SIDED: &[&str] = &["__DAV_C220_", "__DAV_VEC__", "__DAV_CUBE__"];
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        self.sums |= text.contains("GetAccVal");
        self.asks_for_cube |= text.contains("ASCEND_IS_AIC");
        self.calls_cube |= has(OF_CUBE);
        self.cube |= has(CUBE) || (self.asks_for_cube && self.calls_cube);
        self.are_sided |= has(SIDED);
        self.vec |= has(VEC) || has(SIDED);
    }
}

/// Returns the entries of a translation unit, in order.
pub fn entries(unit: &Unit) -> Vec<&Arc<Function>> {
    let mut found = Vec::new();
    collect(&unit.items, &mut found);
    found
}

fn collect<'u>(items: &'u [Stmt], found: &mut Vec<&'u Arc<Function>>) {
    for item in items {
        match &item.kind {
            StmtKind::Function(function) => {
                let is_entry = function.attributes.iter().any(|(name, _)| &**name == ENTRY);
                if is_entry && function.body.is_some() {
                    found.push(function);
                }
            }
            StmtKind::Namespace(_, items) | StmtKind::Block(items) => collect(items, found),
            _ => {}
        }
    }
}

/// Returns the place of the definition of an entry, with `extern "C"` before it.
pub fn whole(source: &SourceText, span: Span) -> Span {
    let text = source.as_str();
    let Some(before) = text.get(..span.start as usize) else {
        return span;
    };
    let trimmed = before.trim_end();
    // A comment above a kernel precedes its linkage, so the definition begins there.
    match trimmed.strip_suffix("extern \"C\"") {
        Some(rest) => Span::new(rest.len(), span.end as usize),
        None => span,
    }
}

/// Returns the places of the `// a2lint: …` comments of a text.
pub fn comments(source: &SourceText) -> Vec<Span> {
    let text = source.as_str();
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(at) = line.find("//")
            && line
                .get(at + 2..)
                .is_some_and(|it| it.trim_start().starts_with("a2lint:"))
        {
            found.push(Span::new(start + at, start + line.trim_end().len()));
        }
        start += line.len();
    }
    found
}
