//! What checks asked of the files around them, and what they were told.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::digest::{BYTES, Digest};
use a2lint_project::{Files, Project, Question};

/// A question with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Row {
    /// What was asked.
    pub question: Question,
    /// What the answer was.
    pub answer: Answer,
}

/// What was found in a file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// A text, or none.
    Text(Option<Digest>),
    /// Whether there is a text.
    There(bool),
    /// The names of files.
    Folder(Digest),
    /// What a text says; the text itself tells without reading it that it says the same.
    Said {
        /// The text.
        text: Option<Digest>,
        /// What it says.
        said: Digest,
    },
}

impl Row {
    /// More bytes than it takes in a pack.
    pub fn most_bytes(&self) -> usize {
        path(&self.question).as_os_str().len() + 2 * BYTES + 16
    }
}

/// The answers as they are now, each found once.
pub struct Answers {
    files: Arc<Files>,
    texts: Mutex<HashMap<PathBuf, Option<Digest>>>,
}

impl Answers {
    /// What files say, which are read once.
    pub fn of(files: Arc<Files>) -> Answers {
        Answers {
            files,
            texts: Mutex::default(),
        }
    }

    /// A question of a project's file, with the answer as it is now.
    pub fn row(&self, project: &Project, question: &Question) -> Row {
        let root = &project.root;
        let answer = match question {
            Question::Text(path) | Question::Mention(path) => Answer::Text(self.text(root, path)),
            Question::There(path) => Answer::There(self.text(root, path).is_some()),
            Question::Folder(path) => Answer::Folder(self.folder(path)),
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

    /// Whether the answer is what it was for every file that asks. What mentions a file is asked by that file: where
    /// the text is another one, [`Answers::still_holds`] tells.
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
                question @ (Question::Imports(path) | Question::Includes(path)),
                Answer::Said { text, said },
            ) => self.text(root, path) == *text || self.said(root, question) == *said,
            _ => false,
        }
    }

    /// Whether another text than before still does not mention a file.
    pub fn still_holds(&self, project: &Project, row: &Row) -> bool {
        let Question::Mention(path) = &row.question else {
            return false;
        };
        !self.files.may_import(&project.root, path, &project.path)
    }

    /// The row as it would be written now: the answer is the same, and texts that it was told by may be others.
    /// Every text was looked at before.
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
        | Question::Includes(path) => path,
    }
}
