//! The products that kernels are compiled for, from folder names and operator definitions.

use std::collections::BTreeSet;
use std::path::Path;

use a2lint_isa::masks::Target;
use a2lint_project::{Project, folded_name};
use a2lint_source::text::Slice;

use super::columns::{PRODUCTS, definition};
use super::defining;
use super::texts::{calls, compiled, is_part, places};

/// Returns, as a clause, why a file is for other products alone: the innermost of its folders that is named after an
/// architecture decides.
pub fn of_folder(project: Option<&Project>) -> Option<String> {
    let project = project?;
    let path = project.path.strip_prefix(&project.root).ok()?;
    let targets = Target::of_folders(path)?;
    if targets.contains(&Target::A2A3) {
        return None;
    }
    Some(format!(
        "its folder `{}` is that of another product",
        product_folder(path)?
    ))
}

/// The architectures of A2 in the options of its compiler (`--npu-arch=dav-2201`).
const A2_ARCHITECTURES: &[&str] = &["dav-2201", "dav-c220"];

/// Returns, as a clause, why a file is for other products alone: the nearest build file above it that names
/// architectures names none of A2.
pub fn of_build(project: Option<&Project>) -> Option<String> {
    let project = project?;
    let name = project.path.file_name()?.to_str()?;
    let folders = project.path.ancestors().skip(1);
    let mut folders = folders.take_while(|it| it.starts_with(&project.root));
    let named = folders.find_map(|folder| {
        let path = folder.join("CMakeLists.txt");
        let text = project.files.text(&project.root, &path)?;
        let registered = registered(text.as_str(), name);
        let named = match registered.is_empty() {
            true => architectures(text.as_str()),
            false => registered,
        };
        (!named.is_empty()).then_some(named)
    })?;
    let is_a2 =
        |name: &String| A2_ARCHITECTURES.iter().any(|it| name.starts_with(it)) || is_a2_chip(name);
    let others: Vec<String> = named.iter().map(|it| format!("`{it}`")).collect();
    (!named.iter().any(is_a2)).then(|| format!("its build is for {}", others.join(", ")))
}

/// Returns the products for which a build file registers a file: `add_kernel(name product unit path entry)`.
fn registered(text: &str, file: &str) -> BTreeSet<String> {
    let lines = text.lines();
    let code = lines.map(|line| line.split('#').next().unwrap_or_default());
    let code = code.collect::<Vec<_>>().join("\n");
    let calls = calls(&code, "add_kernel").filter_map(|arguments| {
        let mut words = arguments.into_iter().flat_map(str::split_whitespace);
        let product = words.nth(1)?;
        let mut paths = words.map(Path::new);
        let is_own = paths.any(|path| path.file_name().is_some_and(|name| name == file));
        is_own.then(|| product.trim_matches('"').to_ascii_lowercase())
    });
    let found: BTreeSet<String> = calls.collect();
    // What a variable of the build holds is not known.
    match found.iter().any(|it| it.contains('$')) {
        true => BTreeSet::new(),
        false => found,
    }
}

/// Returns the architectures that a build file names.
fn architectures(text: &str) -> BTreeSet<String> {
    let lines = text.lines();
    let code = lines.map(|line| line.split('#').next().unwrap_or_default());
    let words = code.flat_map(|line| {
        line.split(|c: char| !(is_part(c) || c == '-'))
            .filter_map(|word| word.find("dav-").map(|at| word.part(at..).to_owned()))
    });
    words.filter(|it| it.len() > "dav-".len()).collect()
}

/// Returns the name of the innermost folder of a file that is named after an architecture.
fn product_folder(path: &Path) -> Option<&str> {
    let mut names = path
        .ancestors()
        .skip(1)
        .filter_map(|folder| folder.file_name()?.to_str());
    names.find(|name| Target::of_folders(&Path::new(name).join("x")).is_some())
}

/// Returns, as a clause, why an entry is for other products alone according to the definition of its operator; `None`
/// if there is no readable definition.
pub fn of_operator(kernel: &str, project: Option<&Project>) -> Option<String> {
    let project = project?;
    let name = folded_name(kernel);
    let stem = project.path.file_stem()?.to_str()?;
    let texts = defining(project, &format!("OP_ADD({name}"));
    // A definition without AI cores is one for other units, such as the operator's kernel for the AI CPU.
    let concerns = |body: &str| body.contains("AICore");
    let mut reasons = texts.iter().filter_map(|text| {
        let text = compiled(text.as_str());
        match definition(&text, &name) {
            Some(body) => concerns(body).then(|| reason(body, stem, &name)),
            None => Some(None),
        }
    });
    let first = reasons.next()??;
    reasons.all(|it| it.is_some()).then_some(first)
}

/// Returns whether a name is that of an A2 product or of one of its chips (`ascend910b2`).
pub fn is_a2_chip(name: &str) -> bool {
    PRODUCTS.iter().any(|product| {
        let rest = name.strip_prefix(product);
        rest.is_some_and(|rest| {
            rest.trim_start_matches(|c: char| c.is_ascii_digit())
                .is_empty()
        })
    })
}

fn is_a2_product(name: &str) -> bool {
    PRODUCTS.contains(&name)
}

/// Returns why a definition of the operator of this folded name reserves the file with this stem for other products;
/// `None` if it does not.
fn reason(body: &str, stem: &str, operator: &str) -> Option<String> {
    let configured: Vec<Vec<&str>> = calls(body, "AddConfig").collect();
    let products = configured.iter().map(|arguments| {
        let quoted = arguments.first()?.strip_prefix('"')?;
        quoted.strip_suffix('"')
    });
    let products: Vec<&str> = products.collect::<Option<_>>()?;
    if products.is_empty() {
        return None;
    }
    if !products.iter().any(|product| is_a2_product(product)) {
        let names: Vec<String> = products.iter().map(|it| format!("`{it}`")).collect();
        return Some(format!("its operator is for {}", names.join(", ")));
    }
    // `config.ExtendCfgInfo("opFile.value", "add_apt")` names the file of the kernel for a product.
    // A product without that has the file of the operator's own name.
    let is_own = folded_name(stem) == operator;
    let mut other = None;
    for (arguments, product) in configured.iter().zip(products) {
        let of = arguments.get(1).and_then(|config| file_of(body, config));
        match (
            of.map_or(is_own, |file| file == stem),
            is_a2_product(product),
        ) {
            (true, true) => return None,
            (true, false) => other = Some(product),
            (false, _) => {}
        }
    }
    Some(format!("its operator has this file for `{}`", other?))
}

/// Returns the file that a configuration names for the kernel.
fn file_of<'b>(body: &'b str, config: &str) -> Option<&'b str> {
    places(body, config).find_map(|at| {
        let rest = body.part(at + config.len()..);
        let chain = rest.part(..rest.find(';').unwrap_or(rest.len()));
        if !chain
            .trim_start()
            .starts_with(|c: char| c == '.' || !is_part(c))
        {
            return None;
        }
        calls(chain, "ExtendCfgInfo").find_map(|arguments| match arguments[..] {
            ["\"opFile.value\"", file] => Some(file.trim_matches('"')),
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_folder_of_an_architecture_is_named() {
        for (path, expected) in [
            ("op_kernel/arch35/add.cpp", Some("arch35")),
            ("ascend910b/op_kernel/arch35/parts/add.cpp", Some("arch35")),
            ("arch35/ascend910b/add.cpp", Some("ascend910b")),
            ("op_kernel/add.cpp", None),
        ] {
            assert_eq!(product_folder(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn build_files_name_architectures() {
        let named = |text: &str| architectures(text).into_iter().collect::<Vec<_>>();
        let text = "set(ARCHS dav-3510)  # as dav-2201\nadd(--npu-arch=dav-c310-vec \"dav-${X}\")";
        assert_eq!(named(text), ["dav-3510", "dav-c310-vec"]);
        assert_eq!(
            named("target_compile_options(x --npu-arch=${NPU_ARCH})"),
            [""; 0]
        );
    }

    #[test]
    fn build_files_register_files_for_products() {
        let text = "add_kernel(copy ascend910b vector\n    op_kernel/copy.cpp # copy_b.cpp\n    CopyKernel)\n\
                    add_kernel(copy ascend310p vector op_kernel/copy_b.cpp CopyKernel)\n";
        let of = |file| registered(text, file).into_iter().collect::<Vec<_>>();
        assert_eq!(of("copy.cpp"), ["ascend910b"]);
        assert_eq!(of("copy_b.cpp"), ["ascend310p"]);
        assert!(of("other.cpp").is_empty());
        let of_build = "add_kernel(copy ${SOC} vector op_kernel/copy.cpp CopyKernel)";
        assert!(registered(of_build, "copy.cpp").is_empty());
        assert!(is_a2_chip("ascend910b2") && !is_a2_chip("ascend910base"));
    }

    #[test]
    fn definitions_say_products() {
        let both = r#"
            this->AICore().AddConfig("ascend910b");
            OpAICoreConfig next;
            next.DynamicCompileStaticFlag(true)
                .ExtendCfgInfo("opFile.value", "add_apt");
            this->AICore().AddConfig("ascend950", next);"#;
        assert_eq!(reason(both, "add", "add"), None);
        let other = "its operator has this file for `ascend950`".to_owned();
        assert_eq!(reason(both, "add_apt", "add"), Some(other));
        // The file that another product names is that of the operator, too.
        let same = both.replace("add_apt", "add");
        assert_eq!(reason(&same, "add", "add"), None);
        let renamed = both.replace("ascend910b", "ascend310p");
        let of_none = "its operator is for `ascend310p`, `ascend950`".to_owned();
        assert_eq!(reason(&renamed, "add", "add"), Some(of_none));
        let shared = format!("{both} this->AICore().AddConfig(\"ascend910_93\", next);");
        assert_eq!(reason(&shared, "add_apt", "add"), None);
        let alone = r#"this->AICore().AddConfig("ascend950");"#;
        let other = "its operator is for `ascend950`".to_owned();
        assert_eq!(reason(alone, "add", "add"), Some(other));
        // A variable may name any product.
        assert_eq!(reason("this->AICore().AddConfig(soc);", "add", "add"), None);
        assert_eq!(reason("", "add", "add"), None);
    }
}
