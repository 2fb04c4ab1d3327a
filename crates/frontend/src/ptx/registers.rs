//! Registers of a function, by name and scope.

use rustc_hash::FxHashMap;

use a2lint_ir::mma::Class;
use a2lint_source::text::Slice;
use a2lint_syntax::ptx::ast::{Declaration, Word};

/// A register of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RegisterId(u32);

/// A block in which names are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ScopeId(u32);

/// A parameterised declaration such as `%rd<8>`.
struct Family<'t> {
    prefix: &'t str,
    count: u64,
    class: Class,
}

#[derive(Default)]
struct Scope<'t> {
    parent: Option<ScopeId>,
    names: FxHashMap<&'t str, Class>,
    families: Vec<Family<'t>>,
}

/// The registers of a function.
pub(super) struct Registers<'t> {
    scopes: Vec<Scope<'t>>,
    ids: FxHashMap<(ScopeId, &'t str), RegisterId>,
    classes: Vec<Class>,
    declared: Vec<bool>,
}

impl<'t> Registers<'t> {
    /// The scope of the function itself.
    pub const OUTERMOST: ScopeId = ScopeId(0);

    pub fn new() -> Self {
        Self {
            scopes: vec![Scope::default()],
            ids: FxHashMap::default(),
            classes: Vec::new(),
            declared: Vec::new(),
        }
    }

    /// Opens a block inside another one.
    pub fn open(&mut self, parent: ScopeId) -> ScopeId {
        self.scopes.push(Scope {
            parent: Some(parent),
            ..Scope::default()
        });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    pub fn declare(&mut self, scope: ScopeId, declaration: &Declaration<'t>) {
        let class = class(declaration.scalar_type);
        let scope = &mut self.scopes[scope.0 as usize];
        for declarator in &declaration.names {
            let name = declarator.name.text;
            match declarator.count {
                Some(count) => scope.families.push(Family {
                    prefix: name,
                    count,
                    class,
                }),
                // A second declaration of a name in one scope is an error of the source; the last one counts.
                None => drop(scope.names.insert(name, class)),
            }
        }
    }

    /// Returns the register that a name denotes in a scope; undeclared names belong to the outermost scope.
    pub fn resolve(&mut self, scope: ScopeId, name: &'t str) -> RegisterId {
        let (owner, class, declared) = self.declaration(scope, name);
        let next = RegisterId(self.classes.len() as u32);
        let id = *self.ids.entry((owner, name)).or_insert(next);
        if id == next {
            self.classes.push(class);
            self.declared.push(declared);
        }
        id
    }

    fn declaration(&self, scope: ScopeId, name: &str) -> (ScopeId, Class, bool) {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.scopes[id.0 as usize];
            if let Some(class) = scope.class(name) {
                return (id, class, true);
            }
            at = scope.parent;
        }
        (Self::OUTERMOST, Class::Unknown, false)
    }

    pub fn class(&self, id: RegisterId) -> Class {
        self.classes[id.0 as usize]
    }

    /// Returns whether the register is declared.
    pub fn is_declared(&self, id: RegisterId) -> bool {
        self.declared[id.0 as usize]
    }
}

impl Scope<'_> {
    fn class(&self, name: &str) -> Option<Class> {
        if let Some(class) = self.names.get(name) {
            return Some(*class);
        }
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u64 = name.part(prefix.len()..).parse().ok()?;
        // `%rd<8>` declares `%rd0` to `%rd7`.
        self.families
            .iter()
            .find(|family| family.prefix == prefix && number < family.count)
            .map(|family| family.class)
    }
}

/// Returns the class of registers of a type such as `.b64` or `.pred`.
fn class(scalar_type: Option<Word>) -> Class {
    let Some(word) = scalar_type else {
        return Class::Unknown;
    };
    match (word.text, width(word.text)) {
        (".pred", _) => Class::Predicate,
        (_, Some(bits)) => Class::Register(bits),
        _ => Class::Unknown,
    }
}

/// Returns the number of bits of a scalar type such as `.u64` or `.f16x2`.
pub(super) fn width(name: &str) -> Option<u32> {
    match name {
        ".f16x2" | ".bf16x2" | ".u16x2" | ".s16x2" | ".tf32" => Some(32),
        ".bf16" => Some(16),
        _ => {
            let digits = name
                .strip_prefix(['.'])?
                .strip_prefix(['b', 'u', 's', 'f'])?;
            match digits.parse().ok()? {
                bits @ (8 | 16 | 32 | 64 | 128) => Some(bits),
                _ => None,
            }
        }
    }
}
