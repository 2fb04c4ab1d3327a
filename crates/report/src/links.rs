//! Links to the documentation of rules.

/// Options for links to rules.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// Address under which the pages of rules are published. Without one, links are paths in the project.
    pub base: Option<String>,
    /// Whether the terminal supports links by OSC 8 sequences.
    pub clickable: bool,
}

impl Links {
    /// Returns the address of a rule's page.
    pub fn url(&self, rule: &str) -> String {
        let base = self.base.as_deref().unwrap_or("docs/rules");
        format!("{}/{rule}.md", base.trim_end_matches('/'))
    }

    /// Returns the name of a rule, as a link to its page if the terminal supports that.
    pub fn name(&self, rule: &str) -> String {
        match self.clickable && self.base.is_some() {
            true => format!("\x1b]8;;{}\x1b\\{rule}\x1b]8;;\x1b\\", self.url(rule)),
            false => rule.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_relative_until_an_address_is_known() {
        let links = Links::default();
        assert_eq!(links.url("dup-coverage"), "docs/rules/dup-coverage.md");
        assert_eq!(links.name("dup-coverage"), "dup-coverage");
        let links = Links {
            base: Some("https://example.org/rules/".to_owned()),
            clickable: true,
        };
        let url = "https://example.org/rules/dup-coverage.md";
        assert_eq!(links.url("dup-coverage"), url);
        assert_eq!(
            links.name("dup-coverage"),
            format!("\x1b]8;;{url}\x1b\\dup-coverage\x1b]8;;\x1b\\")
        );
    }
}
