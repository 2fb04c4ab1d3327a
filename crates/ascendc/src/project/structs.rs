//! Structs of tiling data that the sources of a kernel use but do not define: the build generates them from the
//! declarations of the operator's host code, or finds their header in a folder outside of the project's include paths.

use std::collections::BTreeSet;
use std::fmt::Write;

use a2lint_project::{Project, defined, folded_name};
use a2lint_source::text::Slice;

use super::defining;
use super::texts::{calls, compiled, enclosed, first_word, is_part, places, words};

/// The namespace of the structs in host code. The header that the build makes of them declares them without it.
const HOST: &str = "optiling";
/// Maximum number of structs that are searched for.
const MAX_STRUCTS: usize = 32;
/// Maximum number of other declarations that one struct depends on.
const MAX_NEEDED: usize = 64;

/// Declarations that a kernel needs from the files of its project.
#[derive(Debug, Default)]
pub struct Declarations {
    /// The declarations, as text to read before the translation unit.
    pub text: String,
    /// Ambiguous declarations, as clauses.
    pub not_read: Vec<String>,
}

/// Returns declarations of the tiling structs that texts use but do not define, including the struct that
/// `GET_TILING_DATA` reads in these kernels.
pub fn declarations<'t>(
    texts: impl Iterator<Item = &'t str>,
    kernels: &[String],
    project: Option<&Project>,
) -> Declarations {
    let mut found = Declarations::default();
    let Some(project) = project else {
        return found;
    };
    let texts: Vec<String> = texts.map(compiled).collect();
    let mut search = Search {
        project,
        known: known(&texts),
        texts: &texts,
        declared: BTreeSet::new(),
    };
    if texts
        .iter()
        .any(|text| text.contains("BEGIN_TILING_DATA_DEF"))
    {
        // A test may include the host's header in place of the one that the build makes of it.
        let _ = writeln!(found.text, "namespace {HOST} {{}}\nusing namespace {HOST};");
    }
    let mut wanted = wanted(&texts);
    let default = match asks_for_default(&texts) {
        true => search.registered(kernels),
        false => None,
    };
    if let Some(default) = &default {
        wanted.insert(default.clone());
    }
    for name in wanted.iter().take(MAX_STRUCTS) {
        search.declare(name, &mut found);
    }
    if let Some(default) = default {
        // This text precedes the sources, so it cannot name a struct that they define.
        if !search.known.contains(&default) {
            let _ = writeln!(
                found.text,
                "using A2lintTilingData = A2lintOf{default}::{default};"
            );
        }
    }
    found
}

/// Returns whether a kernel reads the struct that the operator is registered with.
fn asks_for_default(texts: &[String]) -> bool {
    let has = |word: &str| texts.iter().any(|text| places(text, word).next().is_some());
    has("GET_TILING_DATA") && !has("REGISTER_TILING_DEFAULT")
}

/// Returns the names that texts define.
fn known(texts: &[String]) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for text in texts {
        known.extend(defined(text));
        for word in ["using", "typename", "class", "define"] {
            let named = places(text, word).map(|at| first_word(text.part(at + word.len()..)));
            known.extend(named.map(str::to_owned));
        }
    }
    known
}

/// Returns the structs into which texts read tiling data, and the types with `tiling` in their names.
fn wanted(texts: &[String]) -> BTreeSet<String> {
    let mut wanted = BTreeSet::new();
    let mut add = |name: &str| {
        let name = name.rsplit("::").next().unwrap_or(name).trim();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if is_name && name.chars().all(is_part) {
            wanted.insert(name.to_owned());
        }
    };
    for text in texts {
        const READERS: &[(&str, usize)] = &[
            ("GET_TILING_DATA_WITH_STRUCT", 0),
            ("GET_TILING_DATA_MEMBER", 0),
            ("GET_TILING_DATA_PTR_WITH_STRUCT", 0),
            ("REGISTER_TILING_DEFAULT", 0),
            ("REGISTER_TILING_FOR_TILINGKEY", 1),
        ];
        for &(reader, at) in READERS {
            for arguments in calls(text, reader) {
                arguments.get(at).into_iter().for_each(|name| add(name));
            }
        }
        let mut rest = text.as_str();
        while let Some(at) = rest.find("iling") {
            let start = rest
                .part(..at)
                .rfind(|c| !is_part(c))
                .map_or(0, |it| it + 1);
            let name = first_word(rest.part(start..));
            rest = rest.part((start + name.len()).max(at + 1)..);
            let is_type = is_class_name(name)
                && rest
                    .trim_start()
                    .starts_with(|c: char| is_part(c) || "*&>),".contains(c));
            if is_type {
                add(name);
            }
        }
    }
    wanted
}

/// Returns whether a name is spelled as classes are: in capitals and small letters, a capital first.
fn is_class_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase())
}

/// A search in the project of a kernel.
struct Search<'p> {
    project: &'p Project,
    /// The texts of the kernel.
    texts: &'p [String],
    /// The names that these texts define.
    known: BTreeSet<String>,
    /// The structs that were searched for.
    declared: BTreeSet<String>,
}

impl Search<'_> {
    fn defining(&self, name: &str) -> Vec<String> {
        let texts = defining(self.project, name);
        let texts = texts.iter();
        texts.map(|text| compiled(text.as_str())).collect()
    }

    /// Returns the struct with which the operator of one of these kernels is registered, if there is exactly one.
    fn registered(&self, kernels: &[String]) -> Option<String> {
        let mut found = BTreeSet::new();
        for kernel in kernels {
            let operator = folded_name(kernel);
            for text in self.defining(&format!("REGISTER_TILING_DATA_CLASS({operator}")) {
                for arguments in calls(&text, "REGISTER_TILING_DATA_CLASS") {
                    if let [name, class] = arguments[..]
                        && folded_name(name) == operator
                    {
                        found.insert(class.rsplit("::").next().unwrap_or(class).to_owned());
                    }
                }
            }
        }
        let first = found.pop_first()?;
        found.is_empty().then_some(first)
    }

    /// Adds a struct and the declarations that it depends on, if the project has exactly one definition and the kernel
    /// has none.
    fn declare(&mut self, name: &str, found: &mut Declarations) {
        if self.known.contains(name) || !self.declared.insert(name.to_owned()) {
            return;
        }
        let mut definitions: Vec<Definition> = Vec::new();
        for text in self.defining(name) {
            for definition in Definition::all(&text, name) {
                if !definitions.iter().any(|it| it.is_same(&definition)) {
                    definitions.push(definition);
                }
            }
        }
        match &definitions[..] {
            [] => {}
            [only] => self.write(name, only, found),
            _ => found.not_read.push(format!(
                "which `{name}` holds the tiling is not known: the project defines it in {} ways",
                definitions.len()
            )),
        }
    }

    fn write(&mut self, name: &str, definition: &Definition, found: &mut Declarations) {
        // A member's struct that the kernel names as well is one type for both.
        for member in definition.members_in(self.texts) {
            self.declare(&member, found);
        }
        let mut needed = String::new();
        let mut done = BTreeSet::new();
        self.need(definition, &mut done, &mut needed);
        // A namespace keeps the dependencies from colliding with names of the kernel.
        let _ = writeln!(
            found.text,
            "namespace A2lintOf{name} {{\n{needed}\n{}\n}}\nusing {name} = A2lintOf{name}::{name};",
            definition.text
        );
        if let Some(space) = &definition.spaces {
            let _ = writeln!(
                found.text,
                "namespace {space} {{ using {name} = ::A2lintOf{name}::{name}; }}"
            );
        }
    }

    /// Adds the constants and structs that a definition depends on, each before its users.
    fn need(&self, definition: &Definition, done: &mut BTreeSet<String>, needed: &mut String) {
        let mut names: Vec<&str> = words(&definition.text).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let is_done = done.contains(name) || self.declared.contains(name);
            if is_done || done.len() > MAX_NEEDED {
                continue;
            }
            let own = Definition::only(&definition.file, name)
                .or_else(|| Definition::constant(&definition.file, name));
            let is_struct = || name.contains("iling") && definition.has_member_of(name);
            let elsewhere = || {
                let texts = self.defining(name);
                let found = texts.iter().flat_map(|text| Definition::all(text, name));
                Definition::same(found)
            };
            let used = own.or_else(|| is_struct().then(elsewhere).flatten());
            if let Some(used) = used {
                done.insert(name.to_owned());
                self.need(&used, done, needed);
                let _ = writeln!(needed, "{}", used.text);
            }
        }
    }
}

/// Returns the definition of a constant in a text, as it is written. The text must have no comments.
pub fn constant(text: &str, name: &str) -> Option<String> {
    Definition::constant(text, name).map(|it| it.text)
}

/// The definition of a name in a file.
#[derive(Debug)]
struct Definition {
    /// The source text of the definition.
    text: String,
    /// The text of the file.
    file: String,
    /// The enclosing namespaces, joined by `::`; `None` if the definition is global.
    spaces: Option<String>,
}

impl Definition {
    /// Returns the definitions of a struct or enumeration in a text, which must have no comments: several where
    /// conditions choose which one is compiled.
    fn all(text: &str, name: &str) -> Vec<Definition> {
        let begins = "BEGIN_TILING_DATA_DEF";
        let by_macros = places(text, begins).filter_map(|at| {
            let rest = text.part(at + begins.len()..).trim_start();
            let end = rest.find("END_TILING_DATA_DEF")?;
            let body = format!("{begins}{}END_TILING_DATA_DEF;", rest.part(..end));
            let is_it = enclosed(rest)?.trim() == name;
            is_it.then(|| Definition::new(body, text, Some(HOST.to_owned())))
        });
        let types = places(text, name).filter_map(|at| Definition::type_at(text, name, at));
        by_macros.chain(types).collect()
    }

    /// Returns the definition of a type whose name stands at an offset.
    fn type_at(text: &str, name: &str, at: usize) -> Option<Definition> {
        let before = text.part(..at).trim_end();
        let keyword = before.rsplit(|c| !is_part(c)).next().unwrap_or_default();
        let start = before.len() - keyword.len();
        let is_type = matches!(keyword, "struct" | "class" | "enum" | "union");
        let rest = text.part(at + name.len()..);
        let open = rest.find(['{', ';', '(', ')', ',', '>', '='])?;
        // A test fixture may have the same name as the class that it tests.
        let is_fixture = rest.part(..open).contains("testing::");
        if !is_type || is_fixture || !rest.part(open..).starts_with('{') {
            return None;
        }
        // `enum class X`
        let head = text.part(..start).trim_end();
        let start = match head.ends_with("enum") && keyword == "class" {
            true => head.len() - "enum".len(),
            false => start,
        };
        let length = enclosed(rest.part(open..))?.len() + 2;
        let body = text.part(start..at + name.len() + open + length);
        let spaces = spaces_at(text, start);
        Some(Definition::new(format!("{body};"), text, spaces))
    }

    /// Returns the definition of a struct or enumeration in a text, if all that it has are the same.
    fn only(text: &str, name: &str) -> Option<Definition> {
        Definition::same(Definition::all(text, name).into_iter())
    }

    /// Returns the first of some definitions if all are the same.
    fn same(mut found: impl Iterator<Item = Definition>) -> Option<Definition> {
        let first = found.next()?;
        found.all(|it| it.is_same(&first)).then_some(first)
    }

    /// Returns the definition of a constant in a text.
    fn constant(text: &str, name: &str) -> Option<Definition> {
        for at in places(text, name) {
            let line = text.part(..at).rfind('\n').map_or(0, |it| it + 1);
            let before = text.part(line..at).trim();
            let rest = text.part(at + name.len()..);
            if before
                .strip_prefix('#')
                .is_some_and(|it| it.trim() == "define")
            {
                let value = rest.lines().next().unwrap_or_default().trim();
                let is_number = value.starts_with(|c: char| c.is_ascii_digit() || c == '(');
                return is_number.then(|| {
                    let text_of = format!("constexpr auto {name} = {value};");
                    Definition::new(text_of, text, None)
                });
            }
            let is_constant = words(before).any(|it| matches!(it, "constexpr" | "const"));
            if is_constant && rest.trim_start().starts_with(['=', '{']) {
                let end = rest.find(';')?;
                let text_of = format!("{before} {name}{};", rest.part(..end));
                return Some(Definition::new(text_of, text, None));
            }
        }
        None
    }

    fn new(text: String, file: &str, spaces: Option<String>) -> Definition {
        Definition {
            text,
            file: file.to_owned(),
            spaces,
        }
    }

    /// Returns whether two definitions are equal up to white space.
    fn is_same(&self, other: &Definition) -> bool {
        self.text
            .split_whitespace()
            .eq(other.text.split_whitespace())
    }

    /// Returns the classes of members that these texts name as well.
    fn members_in(&self, texts: &[String]) -> BTreeSet<String> {
        let is_named = |name: &str| texts.iter().any(|it| places(it, name).next().is_some());
        words(&self.text)
            .filter(|it| is_class_name(it) && self.has_member_of(it) && is_named(it))
            .map(str::to_owned)
            .collect()
    }

    /// Returns whether the definition has a member of the type with this name, declared directly or by a macro.
    fn has_member_of(&self, name: &str) -> bool {
        places(&self.text, name).any(|at| {
            let rest = self.text.part(at + name.len()..).trim_start();
            rest.starts_with(|c: char| is_part(c) || c == ',')
        })
    }
}

/// Returns the namespaces that enclose an offset of a text, joined by `::`; `None` if there are none.
fn spaces_at(text: &str, place: usize) -> Option<String> {
    let mut open: Vec<Option<&str>> = Vec::new();
    let text = text.part(..place);
    for (at, c) in text.char_indices() {
        match c {
            '{' => {
                let head = text.part(..at).trim_end();
                let start = head.rfind([';', '{', '}', '\n']).map_or(0, |it| it + 1);
                let name = head.part(start..).trim().strip_prefix("namespace");
                open.push(name.map(str::trim).filter(|it| !it.is_empty()));
            }
            '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    let names: Vec<&str> = open.into_iter().flatten().collect();
    (!names.is_empty()).then(|| names.join("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_taken_out_of_their_files() {
        let text = "namespace host {\nconstexpr int MOST = 4;\n#define CORES 48\nenum class Mode { A };\n\
                    struct Part { int x; };\nstruct Tiling : Base {\n  int a[MOST];\n};\n}\n\
                    BEGIN_TILING_DATA_DEF(AddTiling)\n  TILING_DATA_FIELD_DEF(uint32_t, total);\n\
                    END_TILING_DATA_DEF;\n";
        let of = |name: &str| Definition::only(text, name).map(|it| (it.text, it.spaces));
        let host = Some("host".to_owned());
        assert_eq!(
            of("Tiling"),
            Some((
                "struct Tiling : Base {\n  int a[MOST];\n};".to_owned(),
                host.clone()
            ))
        );
        assert_eq!(
            of("Mode"),
            Some(("enum class Mode { A };".to_owned(), host))
        );
        assert_eq!(of("Other"), None);
        let (macros, spaces) = of("AddTiling").expect("a definition");
        assert!(macros.starts_with("BEGIN_TILING_DATA_DEF(AddTiling)\n"));
        assert!(macros.ends_with("END_TILING_DATA_DEF;"));
        assert_eq!(spaces.as_deref(), Some("optiling"));
        let constant = |name: &str| Definition::constant(text, name).map(|it| it.text);
        assert_eq!(constant("MOST").as_deref(), Some("constexpr int MOST = 4;"));
        assert_eq!(
            constant("CORES").as_deref(),
            Some("constexpr auto CORES = 48;")
        );
    }

    #[test]
    fn types_of_tiling_are_wanted() {
        let texts = [
            "GET_TILING_DATA_WITH_STRUCT(ops::Sizes, data, tiling); void f(const AddTilingData *t);\n\
             InitTilingData(tiling, &x); TILING_KEY_IS(1); Tiling<int> a; x.Tiling b;"
                .to_owned(),
        ];
        let wanted = wanted(&texts);
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        assert_eq!(wanted, ["AddTilingData", "Sizes", "Tiling"]);
    }
}
