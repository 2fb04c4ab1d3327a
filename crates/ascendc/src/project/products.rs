//! Products that an operator is registered for: a kernel file may be that of other products alone.

use a2lint_project::{Project, folded_name};
use a2lint_source::text::Slice;

use super::columns::{PRODUCTS, definition};
use super::defining;
use super::texts::{calls, is_part, places, without_comments};

/// The key of a configuration that says which file its kernel is in.
const FILE: &str = "\"opFile.value\"";

/// Returns the products that an operator is registered for with this kernel file, where A2 and A3 are none of them;
/// `None` where they are, and where the definition does not say.
pub fn other_products(kernel: &str, project: Option<&Project>) -> Option<Vec<String>> {
    let project = project?;
    let name = folded_name(kernel);
    let file = project.path.file_stem()?.to_str()?;
    let mut found = Vec::new();
    for text in defining(project, &format!("OP_ADD({name}")) {
        let text = without_comments(text.as_str());
        found.extend(registered(definition(&text, &name)?, file)?);
    }
    let is_other = !found.is_empty() && found.iter().all(|it| !PRODUCTS.contains(&&**it));
    found.sort();
    found.dedup();
    let plain = found.iter().map(|it| it.trim_matches('"').to_owned());
    is_other.then(|| plain.collect())
}

/// Returns the products that a definition adds with a kernel file; `None` where it computes their names.
fn registered(body: &str, file: &str) -> Option<Vec<String>> {
    let file = format!("\"{file}\"");
    let files: Vec<(&str, &str)> = places(body, "ExtendCfgInfo")
        .filter_map(|at| {
            // The object that the chain of calls begins with.
            let before = body.part(..at);
            let chain = before
                .part(before.rfind(';').map_or(0, |it| it + 1)..)
                .trim_start();
            let object = chain.part(..chain.find(|c| !is_part(c)).unwrap_or(chain.len()));
            let [FILE, value, ..] = calls(body.part(at..), "ExtendCfgInfo").next()?[..] else {
                return None;
            };
            Some((object, value))
        })
        .collect();
    let is_named = files.iter().any(|(_, value)| *value == file);
    let mut products = Vec::new();
    for arguments in calls(body, "AddConfig") {
        let (product, object) = match arguments[..] {
            [product] => (product, None),
            [product, object, ..] => (product, Some(object)),
            [] => return None,
        };
        if !product.starts_with('"') {
            return None;
        }
        let of_object = files.iter().find(|(of, _)| Some(*of) == object);
        let is_of_file = match of_object {
            Some((_, value)) => *value == file,
            None => !is_named,
        };
        if is_of_file {
            products.push(product.to_owned());
        }
    }
    Some(products)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = r#"
        OpAICoreConfig own;
        this->AICore().AddConfig("ascend910b", own);
        OpAICoreConfig later;
        later.DynamicFormatFlag(true)
            .ExtendCfgInfo("coreType.value", "AiCore")
            .ExtendCfgInfo("opFile.value", "add_two_apt");
        this->AICore().AddConfig("ascend950", later);"#;

    #[test]
    fn a_file_has_the_products_that_name_it() {
        let products = |file| registered(BODY, file);
        assert_eq!(products("add_two"), Some(vec!["\"ascend910b\"".to_owned()]));
        assert_eq!(
            products("add_two_apt"),
            Some(vec!["\"ascend950\"".to_owned()])
        );
    }

    #[test]
    fn computed_names_tell_nothing() {
        assert_eq!(registered("AICore().AddConfig(soc, own);", "add_two"), None);
        assert_eq!(registered("", "add_two"), Some(Vec::new()));
    }
}
