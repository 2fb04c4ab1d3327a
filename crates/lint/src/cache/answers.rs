//! The questions that checks asked about other files, with digests of the answers.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::digest::{BYTES, Digest};
use a2lint_project::{Files, Project, Question};

/// A query that a check has made of the project's files, with the digest of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Row {
    /// The query.
    pub question: Question,
    /// The answer at the time of the check. If the present one differs, the cached result is out of date.
    pub answer: Answer,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// The digest of a text; `None` if there is none.
    Text(Option<Digest>),
    /// Whether the file exists.
    There(bool),
    /// The digest of the names of a folder's files.
    Folder(Digest),
    /// The digest of imports or includes. As long as the text is the same, they need not be read again.
    Said {
        /// The digest of the text.
        text: Option<Digest>,
        /// The digest of its imports or includes.
        said: Digest,
    },
}

impl Row {
    /// Returns an upper bound on the number of bytes that the row takes in a pack.
    pub fn most_bytes(&self) -> usize {
        let name = match &self.question {
            Question::Defined(_, name, _) => name.len() + 9,
            _ => 0,
        };
        path(&self.question).as_os_str().len() + name + 2 * BYTES + 16
    }
}

/// The present answers, each computed once.
pub struct Answers {
    files: Arc<Files>,
    texts: Mutex<HashMap<PathBuf, Option<Digest>>>,
}

impl Answers {
    /// Creates the answers of files.
    pub fn of(files: Arc<Files>) -> Answers {
        Answers {
            files,
            texts: Mutex::default(),
        }
    }

    /// Returns a question with its present answer.
    pub fn row(&self, project: &Project, question: &Question) -> Row {
        let root = &project.root;
        let answer = match question {
            Question::Text(path) | Question::Mention(path) => Answer::Text(self.text(root, path)),
            Question::There(path) => Answer::There(self.text(root, path).is_some()),
            Question::Folder(path) => Answer::Folder(self.folder(path)),
            Question::Named(_) | Question::Defined(..) | Question::Inside(_) => {
                Answer::Folder(self.searched(root, question))
            }
            Question::Imports(path) | Question::Includes(path) => Answer::Said {
                text: self.text(root, path),
                said: self.said(root, question),
            },
        };
        Row {
            question: question.clone(),
            answer,
        }
    }

    /// Returns whether the answer of a row is unchanged. The result does not depend on the file that asks, except for
    /// `Mention`: if that text has changed, [`Answers::still_holds`] decides.
    pub fn holds(&self, root: &Path, row: &Row) -> bool {
        match (&row.question, &row.answer) {
            (Question::Text(path) | Question::Mention(path), Answer::Text(text)) => {
                self.text(root, path) == *text
            }
            (Question::There(path), Answer::There(there)) => {
                self.text(root, path).is_some() == *there
            }
            (Question::Folder(path), Answer::Folder(names)) => self.folder(path) == *names,
            (
                question @ (Question::Named(_) | Question::Defined(..) | Question::Inside(_)),
                Answer::Folder(paths),
            ) => self.searched(root, question) == *paths,
            (
                question @ (Question::Imports(path) | Question::Includes(path)),
                Answer::Said { text, said },
            ) => self.text(root, path) == *text || self.said(root, question) == *said,
            _ => false,
        }
    }

    /// Returns whether a changed text still does not mention the file of `project`.
    pub fn still_holds(&self, project: &Project, row: &Row) -> bool {
        let Question::Mention(path) = &row.question else {
            return false;
        };
        !self.files.may_import(&project.root, path, &project.path)
    }

    /// Returns the row with the digests of the present texts, or `None` if they are unchanged. Its answer must hold,
    /// and its texts must have been read.
    pub fn refreshed(&self, row: &Row) -> Option<Row> {
        let now = |path: &PathBuf| {
            let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            texts.get(path).copied()
        };
        let answer = match (&row.question, &row.answer) {
            (Question::Mention(path), _) => Answer::Text(now(path)?),
            (Question::Imports(path) | Question::Includes(path), Answer::Said { said, .. }) => {
                let text = now(path)?;
                Answer::Said { text, said: *said }
            }
            _ => return None,
        };
        let question = row.question.clone();
        (answer != row.answer).then_some(Row { question, answer })
    }

    fn text(&self, root: &Path, path: &Path) -> Option<Digest> {
        let texts = || self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = texts().get(path) {
            return *known;
        }
        let text = self.files.text(root, path);
        let digest = text.map(|text| Digest::of(text.as_str().as_bytes()));
        texts().insert(path.to_owned(), digest);
        digest
    }

    fn folder(&self, path: &Path) -> Digest {
        let listed = self.files.listed(path);
        Digest::of_all(
            listed
                .iter()
                .map(|path| path.as_os_str().as_encoded_bytes()),
        )
    }

    /// Returns the digest of what a search in the project finds.
    fn searched(&self, root: &Path, question: &Question) -> Digest {
        let found = match question {
            Question::Defined(folder, name, are_hinted) => {
                self.files.defining(root, folder, name, *are_hinted)
            }
            Question::Inside(folder) => self.files.inside(root, folder),
            question => {
                let name = path(question).to_str().unwrap_or_default();
                self.files.named(root, name)
            }
        };
        Digest::of_all(found.iter().map(|it| it.as_os_str().as_encoded_bytes()))
    }

    fn said(&self, root: &Path, question: &Question) -> Digest {
        match question {
            Question::Includes(path) => {
                let names = self.files.includes(root, path);
                Digest::of_all(names.iter())
            }
            question => {
                let imports = self.files.imports_text(root, path(question));
                Digest::of(imports.as_bytes())
            }
        }
    }
}

fn path(question: &Question) -> &Path {
    match question {
        Question::Text(path)
        | Question::There(path)
        | Question::Folder(path)
        | Question::Mention(path)
        | Question::Imports(path)
        | Question::Includes(path)
        | Question::Named(path)
        | Question::Inside(path)
        | Question::Defined(path, ..) => path,
    }
}
