//! Element types and formats that an operator is registered for: the lists in its definition have one column for each
//! kernel that the build compiles.

use std::collections::BTreeMap;

use a2lint_project::{Project, folded_name};
use a2lint_source::text::Slice;

use super::defining;
use super::texts::{calls, compiled, enclosed, is_part, parts, places};

/// Maximum number of columns that are read.
const MAX_COLUMNS: usize = 256;
/// The products whose configurations replace the lists of the operator.
pub const PRODUCTS: &[&str] = &["ascend910b", "ascend910_93"];

/// One supported combination: type and format of each input and output, by its name in capitals.
pub type Column = BTreeMap<String, Element>;

/// Type and format of an input or output in a column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Element {
    /// Its type: `DT_FLOAT16`.
    pub dtype: String,
    /// Its format: `FORMAT_ND`. `None` if the definition has no list of formats of the same length.
    pub format: Option<String>,
}

/// Returns the columns of the definition of the operator that a kernel belongs to (a column is one supported
/// combination of types and formats); `None` if the project has no definition that can be read, several, or one with
/// parts that are compiled under conditions.
pub fn columns(kernel: &str, project: Option<&Project>) -> Option<Vec<Column>> {
    let name = folded_name(kernel);
    let mut found: Option<Vec<Column>> = None;
    for text in defining(project?, &format!("OP_ADD({name}")) {
        let text = compiled(text.as_str());
        let body = definition(&text, &name)?;
        if has_conditions(body) {
            return None;
        }
        let columns = read(body, &text)?;
        match &found {
            Some(known) if *known != columns => return None,
            _ => found = Some(columns),
        }
    }
    found
}

/// Returns the body of the class that defines an operator.
pub fn definition<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    places(text, "class").find_map(|at| {
        let rest = text.part(at + "class".len()..).trim_start();
        let head = rest.part(..rest.find(['{', ';'])?);
        let class = head.part(..head.find(|c| !is_part(c)).unwrap_or(head.len()));
        let is_it = folded_name(class) == name && head.contains("OpDef");
        is_it.then(|| enclosed(rest.part(head.len()..)))?
    })
}

/// Returns whether it is not known which parts of a definition are compiled. Of `#if 0` only `#elif` and what follows
/// it are left.
fn has_conditions(body: &str) -> bool {
    ["#if", "#el"].iter().any(|it| body.contains(it))
}

/// Returns the braced initialiser list of a variable; `None` unless exactly one variable of this name has one.
fn variable<'t>(text: &'t str, name: &'t str) -> Option<&'t str> {
    let mut found = places(text, name).filter_map(|at| {
        let rest = text.part(at + name.len()..).trim_start();
        let rest = rest.strip_prefix('=').unwrap_or(rest).trim_start();
        rest.starts_with('{').then_some(rest)
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Returns the columns of the lists in a definition; `text` is the text of its file.
fn read(body: &str, text: &str) -> Option<Vec<Column>> {
    let configured = configuration(body);
    let mut lists: BTreeMap<String, Lists> = BTreeMap::new();
    for kind in ["Input", "Output"] {
        for at in places(body, kind) {
            let before = body.part(..at).trim_end_matches(['.', '-', '>', ' ']);
            let receiver = before.part(before.rfind(|c| !is_part(c)).map_or(0, |it| it + 1)..);
            let is_configured =
                configured.is_some_and(|(object, end)| object == receiver && at < end);
            if receiver != "this" && !is_configured {
                continue;
            }
            let chain = body.part(at..body.len());
            let chain = chain.part(..chain.find(';').unwrap_or(chain.len()));
            let Some(name) = calls(chain, kind).next().and_then(|it| it.first().copied()) else {
                continue;
            };
            let name = name.trim_matches('"').to_ascii_uppercase();
            if is_configured || !lists.contains_key(&name) {
                lists.insert(name, Lists::of(chain, text));
            }
        }
    }
    let count = lists.values().map(|it| it.types.len()).max()?;
    let is_whole = |lists: &Lists| {
        let is_one_for_all = lists.is_type_for_all && lists.types.len() == 1;
        (lists.types.len() == count || is_one_for_all)
            && lists.types.iter().all(|it| it.starts_with("DT_"))
    };
    if count == 0 || count > MAX_COLUMNS || !lists.values().all(is_whole) {
        return None;
    }
    let column = |at: usize| {
        let elements = lists.iter().map(|(name, lists)| {
            let format = lists.formats.get(at);
            let format = format.filter(|_| lists.formats.len() == count).cloned();
            let dtype = lists.types.get(at).unwrap_or(&lists.types[0]).clone();
            (name.clone(), Element { dtype, format })
        });
        elements.collect()
    };
    Some((0..count).map(column).collect())
}

/// Returns the object with which a definition adds its configuration for A2, and the offset of the call, which copies
/// the object: later calls on it are for other products.
fn configuration(body: &str) -> Option<(&str, usize)> {
    PRODUCTS.iter().find_map(|product| {
        places(body, "AddConfig").find_map(|at| {
            match calls(body.part(at..), "AddConfig").next()?[..] {
                [known, object, ..] if known == format!("\"{product}\"") => Some((object, at)),
                _ => None,
            }
        })
    })
}

/// The lists of types and formats of an input or output.
struct Lists {
    types: Vec<String>,
    /// Whether the definition gives the types as `DataTypeList`: one type stands for all columns.
    is_type_for_all: bool,
    formats: Vec<String>,
}

impl Lists {
    /// Reads the lists in a chain of calls; `text` is the text of its file.
    fn of(chain: &str, text: &str) -> Lists {
        let list = |what: &str| {
            let mut found = calls(chain, what);
            let list = found.next().and_then(|it| it.first().copied());
            let named = |name| variable(text, name).and_then(enclosed);
            let list = list.and_then(|list| enclosed(list).or_else(|| named(list)));
            let list = list.map(parts).unwrap_or_default();
            let names = list.iter().map(|it| it.rsplit("::").next().unwrap_or(it));
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        let is_type_for_all = places(chain, "DataTypeList").next().is_some();
        Lists {
            types: list(match is_type_for_all {
                true => "DataTypeList",
                false => "DataType",
            }),
            is_type_for_all,
            formats: list("Format"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_a_definition_are_columns() {
        let text = r#"
            class AddTwo : public OpDef {
            public:
                explicit AddTwo(const char *name) : OpDef(name)
                {
                    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
                        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
                    this->Output("z").DataType({ge::DT_FLOAT16, ge::DT_INT32}).Format({ge::FORMAT_ND});
                    OpAICoreConfig own;
                    own.Output("z").DataType({ge::DT_FLOAT16, ge::DT_FLOAT});
                    this->AICore().AddConfig("ascend310p");
                    this->AICore().AddConfig("ascend910b", own);
                }
            };
            OP_ADD(AddTwo);"#;
        let body = definition(text, "addtwo").expect("a definition");
        let columns = read(body, text).expect("columns");
        let types = |at: usize| {
            let column: &Column = &columns[at];
            let types = column.iter().map(|(name, it)| (&**name, &*it.dtype));
            types.collect::<Vec<_>>()
        };
        assert_eq!(columns.len(), 2);
        assert_eq!(types(0), [("X", "DT_FLOAT16"), ("Z", "DT_FLOAT16")]);
        assert_eq!(types(1), [("X", "DT_FLOAT"), ("Z", "DT_FLOAT")]);
        assert_eq!(columns[0]["X"].format.as_deref(), Some("FORMAT_ND"));
        assert_eq!(columns[0]["Z"].format, None);
        assert_eq!(definition(text, "addthree"), None);
        // A list that is not written in place.
        let body =
            r#"this->Input("x").DataType(TYPES); this->Output("z").DataType({ge::DT_FLOAT});"#;
        assert_eq!(read(body, body), None);
        let text =
            format!("static const std::vector<ge::DataType> TYPES = {{ge::DT_INT8}};\n{body}");
        let columns = read(body, &text).expect("columns");
        assert_eq!(columns[0]["X"].dtype, "DT_INT8");
    }

    #[test]
    fn lists_under_conditions_are_not_known() {
        let has = |text: &str| has_conditions(&compiled(text));
        assert!(has("#ifdef NEW\na\n#else\nb\n#endif\n"));
        assert!(has("#if 0\na\n#elif defined(NEW)\nb\n#else\nc\n#endif\n"));
        assert!(!has("#if 0\na\n#else\nb\n#endif\n"));
    }

    #[test]
    fn a_configuration_is_copied_where_it_is_added() {
        let body = r#"
            this->Input("x").DataType({ge::DT_INT8, ge::DT_INT8});
            this->Input("ids").DataTypeList({ge::DT_INT32});
            OpAICoreConfig core;
            this->AICore().AddConfig("ascend910b", core);
            core.Input("x").DataType({ge::DT_FLOAT16});
            this->AICore().AddConfig("ascend310p", core);"#;
        let columns = read(body, body).expect("columns");
        let types = columns
            .iter()
            .map(|it| (&*it["X"].dtype, &*it["IDS"].dtype));
        assert_eq!(
            types.collect::<Vec<_>>(),
            [("DT_INT8", "DT_INT32"), ("DT_INT8", "DT_INT32")]
        );
        // Several listed types are combined with all columns, which is not read.
        let body = body.replace(
            "{ge::DT_INT32}",
            "{ge::DT_INT32, ge::DT_INT64, ge::DT_INT8}",
        );
        assert_eq!(read(&body, &body), None);
    }
}
