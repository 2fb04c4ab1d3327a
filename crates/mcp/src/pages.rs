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
pub const PAGES: [Page; 8] = [
    Page {
        name: "tutorial",
        description: "A whole kernel in easyasc and one in AscendC, from an empty file to clean, run and proved",
        text: include_str!("../../../docs/tutorial.md"),
    },
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
    Page {
        name: "launches",
        description: "How a file says with which sizes and tensors its kernels are launched: `launch(…)`",
        text: include_str!("../../../docs/launches.md"),
    },
    Page {
        name: "glossary",
        description: "Terms of the hardware and of a2lint: lane, repeat, block stride, pipe, proved if, witness",
        text: include_str!("../../../docs/glossary.md"),
    },
    Page {
        name: "json",
        description: "Every field of the JSON that the commands print",
        text: include_str!("../../../docs/json.md"),
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
