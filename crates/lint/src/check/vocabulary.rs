//! The spelling of DSL names in fixes: as the file imports them, adding an import if necessary.

use a2lint_frontend::{facade_names, is_python_builtin, module_dialect};
use a2lint_ir::finding::{Edit, Finding};
use a2lint_source::text::{Slice, SourceText, Span};
use a2lint_syntax::python;
use a2lint_syntax::python::ast::{File, ImportName, Stmt, StmtKind};
use a2lint_syntax::python::scopes::Scopes;

/// Adapts the DSL names in the fixes of findings to the imports of the file. A fix is removed if the file uses one of
/// its names for something else.
pub(super) fn spell_fixes(source: &SourceText, findings: &mut [Finding]) {
    let mut file: Option<File> = None;
    for finding in findings.iter_mut().filter(|it| it.elsewhere.is_none()) {
        let Some(fix) = &mut finding.fix else {
            continue;
        };
        let file = file.get_or_insert_with(|| python::parse(source));
        match spelled(source, file, std::mem::take(&mut fix.edits)) {
            Some(edits) => fix.edits = edits,
            None => finding.fix = None,
        }
    }
}

/// Adapts the DSL names in edits to the imports of the file, and adds edits for missing imports. `None` if a name has
/// another meaning in the file.
pub fn spelled(source: &SourceText, file: &File, edits: Vec<Edit>) -> Option<Vec<Edit>> {
    let vocabulary = Vocabulary::of(source, file);
    // Words of the replaced text are spelled as the file spells them already.
    let own: Vec<&str> = edits
        .iter()
        .filter_map(|edit| source.as_str().get(edit.span.range()))
        .flat_map(|text| words(text).into_iter().map(|word| word.text))
        .collect();
    let mut additions: Vec<(u32, Vec<String>)> = Vec::new();
    let mut all = Vec::new();
    for edit in &edits {
        let mut text = String::new();
        let mut done = 0;
        for word in words(&edit.text) {
            if own.contains(&word.text) || !vocabulary.has(word.text) {
                continue;
            }
            let name = word.text;
            let prefix = match vocabulary.spelling(&word, edit.span.start)? {
                Spelling::Plain => continue,
                Spelling::Other(other) => other,
                Spelling::Import(place) => {
                    let at = additions.iter().position(|(known, _)| *known == place);
                    let at = at.unwrap_or_else(|| {
                        additions.push((place, Vec::new()));
                        additions.len() - 1
                    });
                    if !additions[at].1.iter().any(|known| known == name) {
                        additions[at].1.push(name.to_owned());
                    }
                    continue;
                }
            };
            text.push_str(edit.text.part(done..word.at));
            text.push_str(&prefix);
            done = word.at + name.len();
        }
        text.push_str(edit.text.part(done..));
        all.push(Edit {
            span: edit.span,
            text,
        });
    }
    let import = |(place, names): (u32, Vec<String>)| Edit {
        span: Span {
            start: place,
            end: place,
        },
        text: format!(", {}", names.join(", ")),
    };
    all.extend(additions.into_iter().map(import));
    Some(all)
}

/// The spelling of a name.
enum Spelling {
    /// The name alone.
    Plain,
    /// Another spelling, such as `ea.dup`.
    Other(String),
    /// The name alone, which has to be appended to the import list that ends at this offset.
    Import(u32),
}

/// An import of a DSL's package or its device module, such as `easyasc.a2`, or of names from it.
struct Import<'f> {
    kind: ImportKind<'f>,
    names: Vec<String>,
    /// The enclosing function; `None` for an import of the module.
    within: Option<Span>,
}

enum ImportKind<'f> {
    /// `from easyasc.a2 import *`
    Star,
    /// `from easyasc.a2 import add, dup as fill`
    List(&'f [ImportName]),
    /// `import easyasc.a2 as ea`, with the prefix before names.
    Module(String),
}

/// The names under which a file can use what a DSL's package and its device modules export.
struct Vocabulary<'f> {
    source: &'f SourceText,
    scopes: Scopes,
    imports: Vec<Import<'f>>,
    /// The spans of functions and methods, outer ones first.
    functions: Vec<Span>,
    /// Whether there is a star import of another module, which may bind any name.
    has_other_star: bool,
}

impl<'f> Vocabulary<'f> {
    fn of(source: &'f SourceText, file: &'f File) -> Self {
        let mut vocabulary = Vocabulary {
            source,
            scopes: Scopes::of(file),
            imports: Vec::new(),
            functions: Vec::new(),
            has_other_star: false,
        };
        vocabulary.collect(&file.body, None);
        vocabulary
    }

    fn collect(&mut self, body: &'f [Stmt], within: Option<Span>) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Import(names) => {
                    let modules = names.iter().filter_map(|import| {
                        let exports = facade_names(module_dialect(&import.name)?);
                        let alias = import.alias.as_ref().map(|alias| alias.text.as_str());
                        let prefix = alias.unwrap_or(&import.name).to_owned();
                        Some((prefix, exports))
                    });
                    for (prefix, names) in modules {
                        self.push(ImportKind::Module(prefix), names, within);
                    }
                }
                StmtKind::ImportFrom {
                    module,
                    names,
                    star,
                    ..
                } => self.import_from(module, names, *star, within),
                StmtKind::Function(def) => {
                    self.functions.push(def.full_span);
                    self.collect(&def.body, Some(def.full_span));
                }
                StmtKind::Class { body, .. }
                | StmtKind::With { body, .. }
                | StmtKind::Error(body) => {
                    self.collect(body, within);
                }
                StmtKind::If { arms, orelse } => {
                    arms.iter().for_each(|(_, body)| self.collect(body, within));
                    self.collect(orelse, within);
                }
                StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                    self.collect(body, within);
                    self.collect(orelse, within);
                }
                StmtKind::Try { blocks, .. } => {
                    blocks.iter().for_each(|body| self.collect(body, within));
                }
                _ => {}
            }
        }
    }

    fn import_from(
        &mut self,
        module: &str,
        names: &'f [ImportName],
        star: bool,
        within: Option<Span>,
    ) {
        let Some(dialect) = module_dialect(module) else {
            self.has_other_star |= star;
            return;
        };
        if star {
            return self.push(ImportKind::Star, facade_names(dialect), within);
        }
        // `from easyasc import a2 as ea`
        let is_module = |import: &&ImportName| !module.contains('.') && is_device(&import.name);
        for import in names.iter().filter(is_module) {
            let alias = import.alias.as_ref().map(|alias| alias.text.as_str());
            let prefix = alias.unwrap_or(&import.name).to_owned();
            self.push(ImportKind::Module(prefix), facade_names(dialect), within);
        }
        if names.iter().any(|import| !is_module(&import)) {
            self.push(ImportKind::List(names), facade_names(dialect), within);
        }
    }

    fn push(&mut self, kind: ImportKind<'f>, names: Vec<String>, within: Option<Span>) {
        self.imports.push(Import {
            kind,
            names,
            within,
        });
    }

    /// Returns whether an imported DSL package or device module exports a name that is not a Python builtin.
    fn has(&self, name: &str) -> bool {
        let mut imports = self.imports.iter();
        !is_python_builtin(name) && imports.any(|import| import.exports(name))
    }

    /// Returns the spelling of a name that a fix introduces at an offset; `None` if it cannot be used there.
    fn spelling(&self, word: &Word, offset: u32) -> Option<Spelling> {
        let name = word.text;
        let is_visible = |import: &&Import| {
            let within = import.within;
            within.is_none_or(|function| function.touches(offset)) && import.exports(name)
        };
        let visible: Vec<&Import> = self.imports.iter().filter(is_visible).collect();
        let module = visible.iter().find_map(|import| match &import.kind {
            ImportKind::Module(prefix) => Some(Spelling::Other(format!("{prefix}.{name}"))),
            _ => None,
        });
        let imported = visible.iter().find_map(|import| import.imported(name));
        if self.is_taken(name, offset) {
            return match self.is_used(word, offset) {
                true => Some(Spelling::Plain),
                false => module,
            };
        }
        if let Some(own) = imported {
            return Some(match own == name {
                true => Spelling::Plain,
                false => Spelling::Other(own.to_owned()),
            });
        }
        let is_star = |import: &&Import| matches!(import.kind, ImportKind::Star);
        if visible.iter().any(is_star) {
            return Some(Spelling::Plain);
        }
        let list = visible.iter().find_map(|import| import.end_of_list());
        match list {
            Some(end) => Some(Spelling::Import(end)),
            None if module.is_none() && self.has_other_star => Some(Spelling::Plain),
            None => module,
        }
    }

    /// Returns whether a name is bound at an offset by anything but the import of a DSL's package or device module.
    fn is_taken(&self, name: &str, offset: u32) -> bool {
        let around: Vec<&Span> = self
            .functions
            .iter()
            .filter(|function| function.touches(offset))
            .collect();
        let symbols = self.scopes.symbols().iter();
        let own = symbols.filter(|symbol| symbol.name == name);
        let mut places = own.flat_map(|symbol| {
            let bindings = symbol.bindings.iter();
            bindings.filter(|place| {
                symbol.is_global || around.iter().any(|function| function.touches(place.start))
            })
        });
        places.any(|place| !self.is_import(*place))
    }

    /// Returns whether a binding is an import from a DSL's package or device module.
    fn is_import(&self, place: Span) -> bool {
        self.imports.iter().any(|import| match import.kind {
            ImportKind::List(names) => names.iter().any(|it| {
                let alias = it.alias.as_ref().map(|alias| alias.span);
                it.span == place || alias == Some(place)
            }),
            _ => false,
        })
    }

    /// Returns whether the enclosing function of an offset already uses a name in the same way. The fix then copies the
    /// author's text.
    fn is_used(&self, word: &Word, offset: u32) -> bool {
        let function = self.functions.iter().rfind(|it| it.touches(offset));
        let Some(function) = function else {
            return false;
        };
        let mut used = words(self.source.slice(*function)).into_iter();
        used.any(|other| other.text == word.text && other.is_called == word.is_called)
    }
}

impl Import<'_> {
    fn exports(&self, name: &str) -> bool {
        self.names.iter().any(|it| it == name)
    }

    /// Returns the local name (alias or own) under which `from easyasc.a2 import …` imports `name`.
    fn imported(&self, name: &str) -> Option<&str> {
        let ImportKind::List(names) = self.kind else {
            return None;
        };
        let own = names.iter().find(|import| import.name == name)?;
        let alias = own.alias.as_ref().map(|alias| alias.text.as_str());
        Some(alias.unwrap_or(&own.name))
    }

    /// Returns the end of an import list.
    fn end_of_list(&self) -> Option<u32> {
        let ImportKind::List(names) = self.kind else {
            return None;
        };
        let last = names.last()?;
        let alias = last.alias.as_ref().map(|alias| alias.span.end);
        Some(alias.unwrap_or(last.span.end))
    }
}

/// Returns whether a module name is a device module of the DSL package: `a2` or `a3`.
fn is_device(name: &str) -> bool {
    matches!(name, "a2" | "a3")
}

/// A name in a piece of code, except for attributes and the names of arguments.
struct Word<'t> {
    at: usize,
    text: &'t str,
    is_called: bool,
}

/// Returns the names in a piece of code, skipping strings and comments.
fn words(text: &str) -> Vec<Word<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(first) = text.part(at..).chars().next() {
        let rest = text.part(at..);
        if first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if first == '"' || first == '\'' {
            at += string_length(rest, first);
        } else if is_part(first) {
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let before = text.part(..at).trim_end();
            let after = rest.part(length..).trim_start();
            let is_bound = after.starts_with('=') && !after.starts_with("==");
            if !before.ends_with('.') && !is_bound && !first.is_numeric() {
                all.push(Word {
                    at,
                    text: rest.part(..length),
                    is_called: after.starts_with('('),
                });
            }
            at += length;
        } else {
            at += first.len_utf8();
        }
    }
    all
}

/// Returns the length in bytes of the string literal at the start of a text.
fn string_length(text: &str, quote: char) -> usize {
    let triple = quote.to_string().repeat(3);
    if text.starts_with(&triple) {
        let end = text.part(3..).find(&triple);
        return end.map_or(text.len(), |at| at + 6);
    }
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text after the edits that replace `OLD` by `new`.
    fn written(text: &str, new: &str) -> Option<String> {
        let source = SourceText::new(text);
        let at = text.find("OLD").expect("a place");
        let edit = Edit {
            span: Span::new(at, at + 3),
            text: new.to_owned(),
        };
        let edits = spelled(&source, &python::parse(&source), vec![edit])?;
        Some(a2lint_rules::fix::apply(text, &edits))
    }

    fn imported(import: &str, new: &str) -> Option<String> {
        let text = format!("{import}\n@kernel()\ndef k(x, t):\n    OLD\n");
        let new = written(&text, new)?;
        let (head, rest) = new.split_once("\n@kernel()\n")?;
        let body = rest.split_once('\n')?.1.trim();
        Some(format!("{head} | {body}"))
    }

    #[test]
    fn names_come_as_the_file_imports_them() {
        for (import, after) in [
            (
                "from easyasc.a2 import *",
                "from easyasc.a2 import * | dup(t, 0)",
            ),
            (
                "from ascriptor.a2 import GM, muls",
                "from ascriptor.a2 import GM, muls, dup | dup(t, 0)",
            ),
            (
                "from easyasc.a2 import (\n    kernel,\n    add as plus,  # sums\n)",
                "from easyasc.a2 import (\n    kernel,\n    add as plus, dup,  # sums\n) | dup(t, 0)",
            ),
            (
                "from easyasc.a2 import kernel, dup as fill",
                "from easyasc.a2 import kernel, dup as fill | fill(t, 0)",
            ),
            (
                "import easyasc.a2 as ea",
                "import easyasc.a2 as ea | ea.dup(t, 0)",
            ),
            (
                "import easyasc.a2",
                "import easyasc.a2 | easyasc.a2.dup(t, 0)",
            ),
            (
                "from easyasc import a3",
                "from easyasc import a3 | a3.dup(t, 0)",
            ),
            (
                "try:\n    from easyasc.a2 import kernel\nexcept ImportError:\n    pass",
                "try:\n    from easyasc.a2 import kernel, dup\nexcept ImportError:\n    pass | dup(t, 0)",
            ),
        ] {
            assert_eq!(
                imported(import, "dup(t, 0)").as_deref(),
                Some(after),
                "{import}"
            );
        }
    }

    #[test]
    fn a_name_that_means_something_else_is_not_used() {
        let text = |import: &str| format!("{import}\n@kernel()\ndef k(x, dup):\n    OLD\n");
        assert_eq!(
            written(&text("from easyasc.a2 import *"), "dup(t, 0)"),
            None
        );
        assert_eq!(
            written(&text("from easyasc.a2 import kernel"), "dup(t, 0)"),
            None
        );
        let other = written(&text("import easyasc.a2 as ea"), "dup(t, 0)");
        assert!(other.is_some_and(|text| text.contains("    ea.dup(t, 0)\n")));
        // No import says where the names come from.
        assert_eq!(
            imported("from common import kernel", "dup(t, 0)").as_deref(),
            Some("from common import kernel | dup(t, 0)")
        );
    }

    #[test]
    fn strings_attributes_and_arguments_are_no_names() {
        let import = "from easyasc.a2 import kernel";
        let text = imported(import, "t.dup(add=1, s='muls')  # exp").expect("no name");
        assert_eq!(
            text,
            "from easyasc.a2 import kernel | t.dup(add=1, s='muls')  # exp"
        );
        let both = imported(import, "dup(t, Pipe.S)\n    dup(t, 1)").expect("two names");
        assert!(
            both.starts_with("from easyasc.a2 import kernel, dup, Pipe | "),
            "{both}"
        );
    }
}
