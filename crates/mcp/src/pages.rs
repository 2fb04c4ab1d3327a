//! Pages of the documentation as resources, so that an agent can look up how kernels are written.

use rmcp::model::Resource;

/// The type of the pages.
pub const MARKDOWN: &str = "text/markdown";

/// A page of the documentation.
pub struct Page {
    name: &'static str,
    description: &'static str,
    /// The text, in Markdown.
    pub text: &'static str,
}

/// All pages.
pub const PAGES: [Page; 4] = [
    Page {
        name: "ascendc",
        description: "AscendC kernels: what is read, checked, run and proved, and what is assumed",
        text: include_str!("../../../docs/ascendc.md"),
    },
    Page {
        name: "dialects",
        description: "The Python DSLs easyasc and ascriptor: spellings, control flow, synchronisation",
        text: include_str!("../../../docs/dialects.md"),
    },
    Page {
        name: "common-mistakes",
        description: "Twenty common mistakes in kernels: wrong, the message, right",
        text: include_str!("../../../docs/common-mistakes.md"),
    },
    Page {
        name: "contracts",
        description: "Comments that say which launches a kernel is written for",
        text: include_str!("../../../docs/contracts.md"),
    },
];

impl Page {
    /// Returns the address.
    pub fn address(&self) -> String {
        format!("a2lint://docs/{}.md", self.name)
    }

    /// Returns the entry in the list of resources.
    pub fn described(&self) -> Resource {
        Resource::new(self.address(), self.name)
            .with_description(self.description)
            .with_mime_type(MARKDOWN)
    }
}
