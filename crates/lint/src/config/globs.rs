//! Path patterns relative to a folder.

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::{ConfigError, Glob};

/// Patterns and the folder that they are relative to.
#[derive(Debug)]
pub(super) struct Globs {
    root: PathBuf,
    patterns: Gitignore,
}

impl Globs {
    /// Compiles patterns relative to `root`, an absolute folder.
    pub fn new<'a>(
        root: &Path,
        globs: impl IntoIterator<Item = &'a Glob>,
    ) -> Result<Globs, ConfigError> {
        let mut builder = GitignoreBuilder::new(root);
        for Glob(text) in globs {
            builder.add_line(None, text).map_err(ConfigError::pattern)?;
        }
        Ok(Globs {
            root: root.to_owned(),
            patterns: builder.build().map_err(ConfigError::pattern)?,
        })
    }

    /// Returns whether a pattern matches the path or a folder above it.
    pub fn matches(&self, path: &Path, is_dir: bool) -> bool {
        !self.patterns.is_empty()
            && path.starts_with(&self.root)
            && self
                .patterns
                .matched_path_or_any_parents(path, is_dir)
                .is_ignore()
    }
}
