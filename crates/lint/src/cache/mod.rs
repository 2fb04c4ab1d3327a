//! The cache of results on disk.
//!
//! The results for a file are stored under its path and the settings ([`Subject`]). They are valid as long as its
//! text and all answers that its check got about other files ([`Question`]) are unchanged. A pack is the file
//! that holds all results of one user and one build of a2lint. It is signed with a secret of the user, and a pack
//! without a valid signature is ignored. The cache never makes a check fail: a result that cannot be read or written
//! is computed again.

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

/// Size limit of a pack in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// Number of days after which unused results are dropped.
const MAX_DAYS: u32 = 30;
/// Size limit in bytes of the results for one file.
const MAX_RESULTS: usize = 4 << 20;
/// The identity of this build.
const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("A2LINT_BUILD"));

/// The key under which the results for a file are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    slot: Digest,
    content: Digest,
}

impl Subject {
    /// Creates the key for a text and its settings, which include the path of the file.
    pub fn of(source: &SourceText, settings: &Settings) -> Subject {
        // The debug text contains every field, so settings that are added later take part as well.
        Subject {
            slot: Digest::of(format!("{settings:?}").as_bytes()),
            content: Digest::of(source.as_str().as_bytes()),
        }
    }
}

/// The stored results and those of this run.
pub struct Cache {
    folder: Folder,
    key: Key,
    /// Day of the run, counted from 1970.
    today: u32,
    pack: Pack,
    answers: Answers,
    /// For each row of the pack, whether its answer is unchanged, once that is known.
    holds: Vec<OnceLock<bool>>,
    /// For each entry of the pack, whether its results were used.
    hits: Vec<AtomicBool>,
    /// Results of this run, by slot.
    new: Mutex<BTreeMap<Digest, New>>,
}

/// The results of one check of this run.
struct New {
    content: Digest,
    rows: Vec<Row>,
    results: Vec<u8>,
}

impl Cache {
    /// Opens the cache in a folder. `files` are those of the check; `project` is the folder with the mark of the
    /// project that they belong to.
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

    /// Returns the results for a file if they are still valid.
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
                // The check read this text, so one of the rows above confirms that it is unchanged.
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

    /// Adds the results of a check, with the questions that it asked.
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

    /// Writes the pack if anything has changed.
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
        // Used ones first, then by last use: the builder leaves out the last ones if there is no room.
        let old = entries.filter(|(entry, _)| !new.contains_key(&entry.slot));
        let mut old: Vec<(&Entry, bool)> = old.collect();
        old.sort_by_key(|(entry, hit)| std::cmp::Reverse((*hit, entry.used)));
        // Rows of used results are updated to the present texts; the others keep theirs, which are still to be
        // compared.
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

    /// Returns whether a checked row still holds although the text of its file has changed, so that its digest is out
    /// of date.
    fn has_other_texts(&self) -> bool {
        let rows = self.pack.rows.iter().zip(&self.holds);
        let mut asked = rows.filter(|(_, holds)| holds.get().is_some());
        asked.any(|(row, _)| self.answers.refreshed(row).is_some())
    }

    /// Returns the index of a row in the pack that is being built.
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
