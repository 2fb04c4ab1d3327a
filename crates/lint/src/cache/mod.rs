//! Results of earlier checks, on disk.
//!
//! The results of a file are found again by its path and the settings ([`Subject`]), and hold as long as its text and
//! all that its check asked of other files ([`Question`]) are what they were. A pack of results is signed with a
//! secret of the user; a pack without that signature is ignored. Nothing here ever fails a check: a result that cannot
//! be used, or could not be written, is computed again.

mod answers;
mod digest;
mod folder;
mod pack;
mod secret;

pub use digest::{Digest, Digester};
pub use folder::NAME;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::check::{Results, Settings};
use a2lint_project::{Files, Project, Question};
use a2lint_source::text::SourceText;
use answers::{Answers, Row};
use folder::Folder;
use pack::{Body, Builder, Entry, Pack};
use secret::Key;

/// Bytes of the largest pack.
const MAX_BYTES: u64 = 64 << 20;
/// Days after which results that nobody has used are forgotten.
const MAX_DAYS: u32 = 30;
/// Bytes of the results of one file that are kept.
const MAX_RESULTS: usize = 4 << 20;
/// Which build this is.
const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("A2LINT_BUILD"));

/// A file to be checked: what its results are kept under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    slot: Digest,
    content: Digest,
}

impl Subject {
    /// A text under settings, which hold where it stands in its project.
    pub fn of(source: &SourceText, settings: &Settings) -> Subject {
        // All that is decided about a check is part of its settings' text, what is added one day as well.
        Subject {
            slot: Digest::of(format!("{settings:?}").as_bytes()),
            content: Digest::of(source.as_str().as_bytes()),
        }
    }
}

/// Results of earlier checks, and those of this one.
pub struct Cache {
    folder: Folder,
    key: Key,
    /// Days since 1970.
    today: u32,
    pack: Pack,
    answers: Answers,
    /// For each row of the pack, whether the answer is what it was.
    holds: Vec<OnceLock<bool>>,
    /// For each entry of the pack, whether it was of use.
    hits: Vec<AtomicBool>,
    /// What was found in this check, by slot.
    new: Mutex<BTreeMap<Digest, New>>,
}

/// Results of this check.
struct New {
    content: Digest,
    rows: Vec<Row>,
    results: Vec<u8>,
}

impl Cache {
    /// What a folder holds; `files` are those of the check, and `project` is the folder with the mark of a project
    /// that they are in.
    pub fn open(
        folder: PathBuf,
        project: Option<&Path>,
        files: Arc<Files>,
        today: u32,
    ) -> io::Result<Cache> {
        let key = Key::of_user(BUILD, project)?;
        Cache::with(folder, key, files, today)
    }

    fn with(folder: PathBuf, key: Key, files: Arc<Files>, today: u32) -> io::Result<Cache> {
        let folder = Folder::at(folder, &key.name())?;
        let pack = folder.read().and_then(|bytes| Pack::read(bytes, &key));
        let pack = pack.unwrap_or_else(Pack::empty);
        Ok(Cache {
            holds: pack.rows.iter().map(|_| OnceLock::new()).collect(),
            hits: pack
                .entries()
                .iter()
                .map(|_| AtomicBool::new(false))
                .collect(),
            answers: Answers::of(files.clone()),
            new: Mutex::default(),
            folder,
            key,
            today,
            pack,
        })
    }

    /// What is known of a file, if it still holds.
    pub fn get(&self, subject: &Subject, project: &Project) -> Option<Results> {
        let at = self.pack.find(&subject.slot)?;
        let entry = &self.pack.entries()[at];
        if entry.content != subject.content {
            return None;
        }
        let body = self.pack.body(entry)?;
        if !body.rows.iter().all(|&row| self.row_holds(row, project)) {
            return None;
        }
        let mut results: Results = postcard::from_bytes(body.results).ok()?;
        for finding in &mut results.findings {
            if let Some(place) = &mut finding.elsewhere {
                // It was asked for when the finding was made, and is the same.
                place.source = project.files.text(&project.root, &place.path)?;
            }
        }
        self.hits[at].store(true, Ordering::Relaxed);
        Some(results)
    }

    fn row_holds(&self, number: u32, project: &Project) -> bool {
        let number = number as usize;
        let (Some(row), Some(holds)) = (self.pack.rows.get(number), self.holds.get(number)) else {
            return false;
        };
        *holds.get_or_init(|| self.answers.holds(&project.root, row))
            || self.answers.still_holds(project, row)
    }

    /// Takes in what a check has found, and what it has asked for.
    pub fn put(
        &self,
        subject: &Subject,
        project: &Project,
        asked: &BTreeSet<Question>,
        results: &Results,
    ) {
        let Ok(results) = postcard::to_stdvec(results) else {
            return;
        };
        if results.len() > MAX_RESULTS {
            return;
        }
        let rows = asked.iter();
        let rows = rows.map(|question| self.answers.row(project, question));
        let new = New {
            content: subject.content,
            rows: rows.collect(),
            results,
        };
        let mut all = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(subject.slot, new);
    }

    /// Writes what is known now, where that is news.
    pub fn save(self) -> io::Result<()> {
        let entries = self.pack.entries().iter().zip(&self.hits);
        let entries = entries.map(|(entry, hit)| (entry, hit.load(Ordering::Relaxed)));
        let new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        let mut hits = entries.clone().filter(|(_, hit)| *hit);
        let is_dated = hits.any(|(entry, _)| entry.used != self.today);
        if new.is_empty() && !is_dated && !self.has_other_texts() {
            return Ok(());
        }
        let mut builder = Builder::new(self.today);
        for (slot, new) in new.iter() {
            let rows = new.rows.iter().map(|row| builder.row(row));
            let body = Body {
                rows: rows.collect(),
                results: &new.results,
            };
            builder.add(*slot, new.content, self.today, &body);
        }
        // The latest first: they are kept if there is no room for all.
        let old = entries.filter(|(entry, _)| !new.contains_key(&entry.slot));
        let mut old: Vec<(&Entry, bool)> = old.collect();
        old.sort_by_key(|(entry, hit)| std::cmp::Reverse((*hit, entry.used)));
        // What was of use has seen the texts as they are now.
        let mut numbers = [false, true].map(|_| vec![None; self.pack.rows.len()]);
        for (entry, hit) in old {
            let used = if hit { self.today } else { entry.used };
            let mut number =
                |at: u32| self.moved(at, hit, &mut builder, &mut numbers[usize::from(hit)]);
            let Some(mut body) = self.pack.body(entry) else {
                continue;
            };
            let rows: Option<Vec<u32>> = body.rows.iter().map(|&row| number(row)).collect();
            if let Some(rows) = rows {
                body.rows = rows;
                builder.add(entry.slot, entry.content, used, &body);
            }
        }
        match builder.finish(&self.key) {
            Some(bytes) => self.folder.replace(&bytes),
            None => Ok(()),
        }
    }

    /// Whether answers that hold were told by other texts than those that are there now.
    fn has_other_texts(&self) -> bool {
        let rows = self.pack.rows.iter().zip(&self.holds);
        let mut asked = rows.filter(|(_, holds)| holds.get().is_some());
        asked.any(|(row, _)| self.answers.refreshed(row).is_some())
    }

    /// The number that a row has in another pack.
    fn moved(
        &self,
        number: u32,
        hit: bool,
        builder: &mut Builder,
        numbers: &mut [Option<u32>],
    ) -> Option<u32> {
        let known = numbers.get_mut(number as usize)?;
        let row = &self.pack.rows[number as usize];
        Some(*known.get_or_insert_with(|| {
            let now = hit.then(|| self.answers.refreshed(row)).flatten();
            builder.row(now.as_ref().unwrap_or(row))
        }))
    }
}

#[cfg(test)]
mod tests;
