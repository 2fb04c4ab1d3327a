//! Kernels: which functions are entries, how they are started, and what their parameters are.

use a2lint_cpp::syntax::ast::{Function, Stmt, StmtKind, Unit};
use a2lint_source::text::{Slice, SourceText, Span};
use std::sync::Arc;

use super::project::texts::{calls, is_part, places};

/// How a kernel is started on a core: cubes, and vec lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelType {
    /// Cubes of a core that execute it: 0 or 1.
    pub cubes: u32,
    /// Vec lanes of a core that execute it.
    pub vecs: u32,
}

impl KernelType {
    const VEC_ONLY: KernelType = KernelType { cubes: 0, vecs: 1 };
    const CUBE_ONLY: KernelType = KernelType { cubes: 1, vecs: 0 };
    const MIXED: KernelType = KernelType { cubes: 1, vecs: 2 };

    /// Whether both sides execute it.
    pub fn is_mixed(self) -> bool {
        self.cubes > 0 && self.vecs > 0
    }

    /// Whether one of the vec lanes of a core has nothing to do.
    pub fn has_idle_vec(self) -> bool {
        self.cubes == 1 && self.vecs == 1
    }

    /// How many vec lanes of a core execute it; 1 where there is no core around them.
    pub fn vecs_of_core(self) -> i64 {
        i64::from(self.vecs.max(1))
    }

    /// How an entry is started: by its attributes, by what its body says, by what all its texts say of the sides.
    pub fn of(entry: &Function, body: &str, words: Words, key: Option<u64>) -> KernelType {
        for (attribute, _) in &entry.attributes {
            match attribute.as_ref() {
                "__vector__" => return KernelType::VEC_ONLY,
                "__cube__" => return KernelType::CUBE_ONLY,
                mix if mix.starts_with("__mix__") => {
                    let numbers: Vec<u32> = mix
                        .split(|c: char| !c.is_ascii_digit())
                        .filter_map(|it| it.parse().ok())
                        .collect();
                    if let [cubes, vecs] = numbers[..] {
                        return KernelType { cubes, vecs };
                    }
                }
                _ => {}
            }
        }
        let body = said_for(body, key).unwrap_or(body);
        let said = |word: &str| body.contains(word);
        if said("KERNEL_TYPE_MIX_AIC_1_2") {
            return KernelType::MIXED;
        }
        if said("KERNEL_TYPE_MIX_AIC_1_1") {
            return KernelType { cubes: 1, vecs: 1 };
        }
        if said("KERNEL_TYPE_AIC_ONLY") || said("KERNEL_TYPE_MIX_AIC_1_0") {
            return KernelType::CUBE_ONLY;
        }
        if said("KERNEL_TYPE_AIV_ONLY") || said("KERNEL_TYPE_MIX_AIV_1_0") {
            return KernelType::VEC_ONLY;
        }
        match words {
            Words { cube: false, .. } => KernelType::VEC_ONLY,
            Words { vec: false, .. } => KernelType::CUBE_ONLY,
            Words { .. } => KernelType::MIXED,
        }
    }
}

/// What a body says of how a kernel for a tiling key is started; `None` where it says nothing of the key.
fn said_for(body: &str, key: Option<u64>) -> Option<&str> {
    let key = key?.to_string();
    let of_key = calls(body, "KERNEL_TASK_TYPE").find_map(|arguments| match arguments[..] {
        [known, of] if known.trim_end_matches(['u', 'U', 'l', 'L']) == key => Some(of),
        _ => None,
    });
    let of_all = || calls(body, "KERNEL_TASK_TYPE_DEFAULT").find_map(|it| it.first().copied());
    of_key.or_else(of_all)
}

/// The names of the entries that a text seems to define.
pub fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for at in places(text, "__global__") {
        let rest = text.part(at..);
        let head = rest.part(..rest.find('(').unwrap_or(rest.len())).trim_end();
        let name = head.part(head.rfind(|c| !is_part(c)).map_or(0, |it| it + 1)..);
        names.push(name.to_owned());
    }
    names
}

/// What the texts of a kernel say of the two sides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words {
    /// They name what the cube alone has.
    pub cube: bool,
    /// They name what vec cores alone have, or tell the sides apart.
    pub vec: bool,
    /// They are compiled for each side on its own.
    pub are_sided: bool,
}

impl Words {
    /// Adds those of a text.
    pub fn add(&mut self, text: &str) {
        const CUBE: &[&str] = &["ASCEND_IS_AIC", "Mmad(", "Fixpipe", "REGIST_MATMUL_OBJ"];
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
        self.cube |= has(CUBE);
        self.are_sided |= has(SIDED);
        self.vec |= has(VEC) || has(SIDED);
    }
}

/// The entries of a translation unit, in order.
pub fn entries(unit: &Unit) -> Vec<&Arc<Function>> {
    let mut found = Vec::new();
    collect(&unit.items, &mut found);
    found
}

fn collect<'u>(items: &'u [Stmt], found: &mut Vec<&'u Arc<Function>>) {
    for item in items {
        match &item.kind {
            StmtKind::Function(function) => {
                let is_entry = function
                    .attributes
                    .iter()
                    .any(|(name, _)| &**name == "__global__");
                if is_entry && function.body.is_some() {
                    found.push(function);
                }
            }
            StmtKind::Namespace(_, items) | StmtKind::Block(items) => collect(items, found),
            _ => {}
        }
    }
}

/// The definition of an entry with `extern "C"` before it.
pub fn whole(source: &SourceText, span: Span) -> Span {
    let text = source.as_str();
    let Some(before) = text.get(..span.start as usize) else {
        return span;
    };
    let trimmed = before.trim_end();
    match trimmed.strip_suffix("extern \"C\"") {
        Some(rest) => Span::new(rest.len(), span.end as usize),
        None => span,
    }
}

/// The comments of ours in a text: `// a2lint: …`.
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
