//! Instances of an entry: it is compiled once for each tiling key, each combination of element types of its operator,
//! and each list of template arguments.

use std::cell::RefCell;
use std::collections::BTreeSet;

use a2lint_cpp::eval::{FloatType, TemplateArg};
use a2lint_cpp::syntax::ast::{Function, TemplateParameterKind};
use a2lint_ir::TILING_KEY;
use a2lint_project::Project;
use a2lint_source::text::Slice;

use super::project::{Column, Element, Value, columns};

/// Maximum number of combinations of element types of an entry that are analysed.
pub const MAX_TYPES: usize = 16;
/// Maximum number of tiling keys of an entry that are analysed.
pub const MAX_KEYS: usize = 32;

/// An instance of an entry.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// Macros that the build defines: names and replacement texts.
    pub macros: Vec<(String, String)>,
    /// The template arguments.
    pub arguments: Vec<TemplateArg>,
    /// The tiling key, if the entry tests tiling keys.
    pub key: Option<u64>,
    /// The parameters that are numbers of buffers of queues, whose values are known in this instance.
    pub buffers: Vec<String>,
    /// The part of the kernel name between `<` and `>`.
    types: Option<String>,
    /// The part of the kernel name between brackets: macros and their values.
    values: Vec<(String, String)>,
    /// The types in the kernel name, by template parameter or macro.
    parameters: Vec<(String, String)>,
}

impl Instance {
    /// Returns the name of the kernel of an entry: `entry<half>`, `entry[TILING_KEY=1, DTYPE_X=half]`.
    pub fn name(&self, entry: &str) -> String {
        let mut name = entry.to_owned();
        if let Some(types) = &self.types {
            name.push_str(&format!("<{types}>"));
        }
        if !self.values.is_empty() {
            let values = self.values.iter();
            let values: Vec<String> = values
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            name.push_str(&format!("[{}]", values.join(", ")));
        }
        name
    }

    /// Returns this instance for a tiling key.
    pub fn with_key(&self, key: u64) -> Instance {
        let mut instance = self.clone();
        instance.key = Some(key);
        instance
            .macros
            .push(("TILING_KEY_VAR".to_owned(), key.to_string()));
        instance
            .values
            .insert(0, (TILING_KEY.to_owned(), key.to_string()));
        instance
    }

    /// Returns this instance for numbers of buffers of queues that parameters of the kernel give.
    pub fn with_buffers(&self, numbers: &[(String, u32)]) -> Instance {
        let mut instance = self.clone();
        let numbers = numbers.iter();
        instance.buffers = numbers.clone().map(|(name, _)| name.clone()).collect();
        let values = numbers.map(|(name, number)| (name.clone(), number.to_string()));
        instance.values.extend(values);
        instance
    }

    /// Returns names and values of the macros and arguments that distinguish this kernel from others of the same entry.
    pub fn built_for(&self) -> Vec<(String, String)> {
        let mut all = self.values.clone();
        all.extend(self.parameters.iter().cloned());
        all
    }
}

/// The prefixes of macros that the build defines per input or output: its element type as a C++ type, its element type
/// as a number, and its format.
const KINDS: &[&str] = &["DTYPE_", "ORIG_DTYPE_", "FORMAT_"];

/// Constants with which texts compare such macros, and their values.
const NUMBERS: &[(&str, &str)] = &[
    ("DT_FLOAT", "0"),
    ("DT_FLOAT16", "1"),
    ("DT_INT8", "2"),
    ("DT_INT32", "3"),
    ("DT_UINT8", "4"),
    ("DT_INT16", "6"),
    ("DT_UINT16", "7"),
    ("DT_UINT32", "8"),
    ("DT_INT64", "9"),
    ("DT_UINT64", "10"),
    ("DT_DOUBLE", "11"),
    ("DT_BOOL", "12"),
    ("DT_BF16", "27"),
    ("DT_INT4", "29"),
    ("FORMAT_NCHW", "0"),
    ("FORMAT_NHWC", "1"),
    ("FORMAT_ND", "2"),
    ("FORMAT_NC1HWC0", "3"),
    ("FORMAT_FRACTAL_Z", "4"),
    ("FORMAT_NC1C0HWPAD", "5"),
    ("FORMAT_NHWC1C0", "6"),
    ("FORMAT_FSR_NCHW", "7"),
    ("FORMAT_FRACTAL_DECONV", "8"),
    ("FORMAT_C1HWNC0", "9"),
    ("FORMAT_FRACTAL_DECONV_TRANSPOSE", "10"),
    ("FORMAT_FRACTAL_DECONV_SP_STRIDE_TRANS", "11"),
    ("FORMAT_NC1HWC0_C04", "12"),
    ("FORMAT_FRACTAL_Z_C04", "13"),
    ("FORMAT_CHWN", "14"),
    ("FORMAT_FRACTAL_DECONV_SP_STRIDE8_TRANS", "15"),
    ("FORMAT_HWCN", "16"),
    ("FORMAT_NC1KHKWHWC0", "17"),
    ("FORMAT_BN_WEIGHT", "18"),
    ("FORMAT_FILTER_HWCK", "19"),
    ("FORMAT_HASHTABLE_LOOKUP_LOOKUPS", "20"),
    ("FORMAT_HASHTABLE_LOOKUP_KEYS", "21"),
    ("FORMAT_HASHTABLE_LOOKUP_VALUE", "22"),
    ("FORMAT_HASHTABLE_LOOKUP_OUTPUT", "23"),
    ("FORMAT_HASHTABLE_LOOKUP_HITS", "24"),
    ("FORMAT_C1HWNCoC0", "25"),
    ("FORMAT_MD", "26"),
    ("FORMAT_NDHWC", "27"),
    ("FORMAT_FRACTAL_ZZ", "28"),
    ("FORMAT_FRACTAL_NZ", "29"),
    ("FORMAT_NCDHW", "30"),
    ("FORMAT_DHWCN", "31"),
    ("FORMAT_NDC1HWC0", "32"),
    ("FORMAT_FRACTAL_Z_3D", "33"),
    ("FORMAT_CN", "34"),
    ("FORMAT_NC", "35"),
    ("FORMAT_DHWNC", "36"),
    ("FORMAT_FRACTAL_Z_3D_TRANSPOSE", "37"),
    ("FORMAT_FRACTAL_ZN_LSTM", "38"),
    ("FORMAT_FRACTAL_Z_G", "39"),
    ("FORMAT_RESERVED", "40"),
    ("FORMAT_ALL", "41"),
    ("FORMAT_NULL", "42"),
    ("FORMAT_ND_RNN_BIAS", "43"),
    ("FORMAT_FRACTAL_ZN_RNN", "44"),
    ("FORMAT_NYUV", "45"),
    ("FORMAT_NYUV_A", "46"),
    ("FORMAT_NCL", "47"),
];

/// The macros that the build defines for the texts of an entry.
pub struct Builds {
    /// The macros for element types and formats that the texts use.
    names: BTreeSet<String>,
}

/// The declared ways to compile an entry.
pub struct Declared<'b> {
    /// The lists of template arguments; `None` if no source declares any.
    pub lists: Option<Vec<Vec<Value>>>,
    /// The macros of each test build that starts the entry.
    pub built: &'b [&'b [(String, String)]],
}

impl Builds {
    /// Collects the names of such macros in texts.
    pub fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Builds {
        let mut names = BTreeSet::new();
        for text in texts {
            for (at, _) in KINDS.iter().flat_map(|kind| text.match_indices(kind)) {
                let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let before = text.part(..at).chars().next_back();
                let rest = text.part(at..);
                let name = rest.part(..rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
                // `FORMAT_ND` is a constant of the toolchain, not a macro of the build.
                let is_known = NUMBERS.iter().any(|(known, _)| *known == name);
                if !before.is_some_and(is_part) && !is_known && !KINDS.contains(&name) {
                    names.insert(name.to_owned());
                }
            }
        }
        Builds { names }
    }

    /// Returns whether the element types of an entry depend on macros.
    fn has_types(&self) -> bool {
        self.names.iter().any(|name| !name.starts_with("FORMAT_"))
    }

    /// Returns the element type macros, all with the same type, and those for formats, which are plain (`FORMAT_ND`).
    fn with(&self, of: FloatType) -> Vec<(String, String)> {
        let spelled = of.spelling();
        let number = match of {
            FloatType::Half => "1",
            FloatType::BFloat16 => "27",
            _ => "0",
        };
        let names = self.names.iter().filter(|it| !it.starts_with("FORMAT_"));
        let mut macros: Vec<(String, String)> = names
            .map(|name| {
                // The build defines the type for use in declarations, and its number for conditions.
                let value = if name.starts_with("ORIG_") {
                    number
                } else {
                    spelled
                };
                (name.clone(), value.to_owned())
            })
            .collect();
        macros.extend(self.plain_formats());
        macros.extend(numbers(&self.names));
        macros
    }

    /// Returns the macros for formats, with the format of a tensor whose elements lie in order.
    fn plain_formats(&self) -> impl Iterator<Item = (String, String)> {
        let names = self.names.iter().filter(|it| it.starts_with("FORMAT_"));
        names.map(|name| (name.clone(), "FORMAT_ND".to_owned()))
    }

    /// Returns the instance of an entry whose element types no definition gives.
    fn plain(&self) -> Instance {
        Instance {
            macros: self.any(),
            values: self.plain_formats().collect(),
            ..Instance::default()
        }
    }

    /// Returns macros to parse a file with before its element types are known.
    pub fn any(&self) -> Vec<(String, String)> {
        self.with(FloatType::Half)
    }

    /// Returns the combinations of element types for which an entry is compiled.
    fn combinations(&self, kernel: &str, project: Option<&Project>) -> Option<Vec<Instance>> {
        let columns = columns(kernel, project)?;
        let mut found: Vec<Vec<(String, String)>> = Vec::new();
        for column in &columns {
            // The build defines macros for the inputs and outputs alone: a type parameter may be called `DTYPE_T`.
            // It defines no format that its definition leaves out.
            let named = self.names.iter().filter(|it| is_of_column(it, column));
            let values = named.map(|name| {
                let value = value_of(name, column)?;
                Some((name.clone(), value))
            });
            match values.collect::<Option<Vec<_>>>() {
                // Columns that differ only in types that the texts do not use compile to the same kernel.
                Some(values) if found.contains(&values) => {}
                Some(values) => found.push(values),
                // The column has a type that the device does not support.
                None => {}
            }
        }
        // Kernel names show only macros whose values differ between instances.
        let first = found.first()?.clone();
        let varies = |name: &str| {
            let of = |values: &Vec<(String, String)>| {
                let value = values.iter().find(|(known, _)| known == name);
                value.map(|(_, value)| value.clone())
            };
            found.iter().any(|values| of(values) != of(&first))
        };
        let instances = found.iter().map(|values| {
            let shown = values.iter().filter(|(name, _)| {
                // `ORIG_DTYPE_X` repeats `DTYPE_X`.
                let is_second = name
                    .strip_prefix("ORIG_")
                    .is_some_and(|it| self.names.contains(it));
                varies(name) && !is_second
            });
            let mut macros = values.clone();
            macros.extend(numbers(&self.names));
            Instance {
                macros,
                values: shown.cloned().collect(),
                ..Instance::default()
            }
        });
        Some(instances.collect())
    }

    /// Returns the instances for the test builds that start an entry; `None` if there are no such builds, or one does
    /// not define all types.
    fn tested(&self, built: &[&[(String, String)]]) -> Option<Vec<Instance>> {
        let mut found: Vec<Vec<(String, String)>> = Vec::new();
        for build in built {
            let given = |name: &str| {
                let mut known = build.iter().filter(|(given, _)| given == name);
                known.next().map(|(_, value)| value.clone())
            };
            let names = self.names.iter().filter(|it| !it.starts_with("FORMAT_"));
            let values = names.map(|name| Some((name.clone(), given(name)?)));
            let values: Vec<_> = values.collect::<Option<_>>()?;
            if !found.contains(&values) {
                found.push(values);
            }
        }
        let instances = found.into_iter().map(|values| {
            let mut macros = values.clone();
            macros.extend(numbers(&self.names));
            let is_shown = |name: &str| name.starts_with("DTYPE_");
            let shown = values.into_iter().filter(|(name, _)| is_shown(name));
            Instance {
                macros,
                values: shown.collect(),
                ..Instance::default()
            }
        });
        let instances: Vec<Instance> = instances.collect();
        (!instances.is_empty()).then_some(instances)
    }

    /// Returns the instances of an entry, without tiling keys.
    pub fn instances(
        &self,
        entry: &Function,
        kernel: &str,
        Declared { lists, built }: Declared<'_>,
        project: Option<&Project>,
    ) -> Vec<Instance> {
        let parameters = entry.templates.iter().flat_map(|it| &it.parameters);
        let parameters: Vec<_> = parameters.collect();
        if parameters.is_empty() {
            if self.names.is_empty() {
                return vec![Instance::default()];
            }
            let found = self.combinations(kernel, project);
            if let Some(found) = found.or_else(|| self.tested(built)) {
                return found;
            }
            if !self.has_types() {
                return vec![self.plain()];
            }
        }
        let names: Vec<String> = parameters.iter().map(|it| it.name.to_string()).collect();
        // A list of another length belongs to another template of the same operator.
        let lists = lists.filter(|lists| lists.iter().all(|it| it.len() == names.len()));
        if let Some(lists) = lists.filter(|_| !names.is_empty()) {
            let builds = match self.names.is_empty() {
                true => None,
                false => {
                    let found = self.combinations(kernel, project);
                    found.or_else(|| self.tested(built))
                }
            };
            let builds = builds.unwrap_or_else(|| vec![self.plain()]);
            return with_lists(&builds, &names, &lists);
        }
        // Without a declaration, each type is assumed to be half or float.
        let all_types = parameters
            .iter()
            .all(|it| matches!(it.kind, TemplateParameterKind::Type(_)) && !it.is_pack);
        if !all_types {
            return Vec::new();
        }
        [FloatType::Half, FloatType::Float]
            .into_iter()
            .map(|of| Instance {
                macros: self.with(of),
                arguments: vec![TemplateArg::Type(of.into()); parameters.len()],
                types: Some(of.spelling().to_owned()),
                values: self.plain_formats().collect(),
                parameters: {
                    let names = parameters.iter().map(|it| it.name.to_string());
                    let macros = self
                        .names
                        .iter()
                        .filter(|it| it.starts_with("DTYPE_"))
                        .cloned();
                    let value = || of.spelling().to_owned();
                    names.chain(macros).map(|name| (name, value())).collect()
                },
                ..Instance::default()
            })
            .collect()
    }
}

/// Combines each instance of an entry with each list of template arguments, whose parameters have these names.
fn with_lists(builds: &[Instance], names: &[String], lists: &[Vec<Value>]) -> Vec<Instance> {
    let of_build = |build: &Instance| {
        let instances = lists.iter().map(|list| {
            let spelled: Vec<&str> = list.iter().map(|(spelled, _)| spelled.as_str()).collect();
            let mut instance = build.clone();
            instance.types = Some(spelled.join(", "));
            instance.arguments = list.iter().map(|(_, argument)| argument.clone()).collect();
            let named = names.iter().cloned();
            let given = spelled.iter().map(|it| (*it).to_owned());
            instance.parameters = named.zip(given).collect();
            instance
        });
        instances.collect::<Vec<_>>()
    };
    builds.iter().flat_map(of_build).collect()
}

/// Returns the macros for formats and element types (`FORMAT_ND`, `DT_FLOAT`), if the texts compare with them.
fn numbers(names: &BTreeSet<String>) -> impl Iterator<Item = (String, String)> + use<> {
    let compares = names.iter().any(|name| !name.starts_with("DTYPE_"));
    let all = NUMBERS.iter().filter(move |_| compares);
    all.map(|(name, number)| ((*name).to_owned(), (*number).to_owned()))
}

/// Returns whether a column has the type or format that a macro is named after.
fn is_of_column(name: &str, column: &Column) -> bool {
    let element = |kind| of_column(column, name.strip_prefix(kind)?);
    match element("FORMAT_") {
        Some(element) => element.format.is_some(),
        None => element("DTYPE_")
            .or_else(|| element("ORIG_DTYPE_"))
            .is_some(),
    }
}

/// Returns the value of a macro of the build for a column of the operator's definition.
fn value_of(name: &str, column: &Column) -> Option<String> {
    if let Some(name) = name.strip_prefix("ORIG_DTYPE_") {
        return Some(of_column(column, name)?.dtype.clone());
    }
    if let Some(name) = name.strip_prefix("DTYPE_") {
        let spelled = match of_column(column, name)?.dtype.as_str() {
            "DT_FLOAT" => "float",
            "DT_FLOAT16" => "half",
            "DT_BF16" => "bfloat16_t",
            "DT_INT4" => "int4b_t",
            "DT_INT8" => "int8_t",
            "DT_UINT8" => "uint8_t",
            "DT_INT16" => "int16_t",
            "DT_UINT16" => "uint16_t",
            "DT_INT32" => "int32_t",
            "DT_UINT32" => "uint32_t",
            "DT_INT64" => "int64_t",
            "DT_UINT64" => "uint64_t",
            "DT_BOOL" => "bool",
            "DT_DOUBLE" => "double",
            _ => return None,
        };
        return Some(spelled.to_owned());
    }
    of_column(column, name.strip_prefix("FORMAT_")?)?
        .format
        .clone()
}

/// Returns the type and format of an input or output in a column. An output that is an input as well may have the
/// name of that with a suffix in the kernel.
fn of_column<'c>(column: &'c Column, name: &str) -> Option<&'c Element> {
    let plain = || column.get(name.strip_suffix("_REF")?);
    column.get(name).or_else(plain)
}

/// The tiling keys that an entry tests.
#[derive(Debug, Default)]
pub struct Keys {
    /// The tested keys.
    pub asked: RefCell<BTreeSet<u64>>,
}

impl Keys {
    /// Collects the tiling keys that `#if` conditions test.
    pub fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Keys {
        let mut asked = BTreeSet::new();
        for text in texts {
            for (at, word) in text.match_indices("TILING_KEY_VAR") {
                let rest = text.part(at + word.len()..).trim_start();
                let Some(rest) = rest.strip_prefix("==") else {
                    continue;
                };
                let rest = rest.trim_start();
                let end = rest
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(rest.len());
                asked.extend(rest.part(..end).parse::<u64>());
            }
        }
        Keys {
            asked: RefCell::new(asked),
        }
    }
}
