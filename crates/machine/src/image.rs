//! Snapshots of the machine, to which a run can be reset.
//!
//! Images share the pages of memory in which they do not differ, so the images of one run together take little
//! more room than what the run writes. Exact values (`memory::exact`) are not kept: a run that tracks
//! them is never reset.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHasher};

use super::carried::Carried;
use super::chip::CoreImage;
use super::description::Text;
use super::inputs::TensorImage;
use super::lane::Lane;
use super::ownership::Ownership;
use super::provenance::Provenance;
use super::shared_state::Tally;
use super::signals::Flags;
use super::stepper::{LaneState, Stepper};
use super::unit_context::Seen;

/// All state that decides how a run goes on, and all results so far.
#[derive(Clone)]
pub struct Image<'p> {
    lanes: Vec<Lane<'p>>,
    states: Vec<LaneState>,
    group: Range<u32>,
    flags: Flags,
    provenance: Provenance,
    seen: Seen,
    tally: Tally,
    globals: Vec<TensorImage>,
    cores: Vec<CoreImage>,
    ownership: Ownership,
    carried: Carried,
}

impl Image<'_> {
    /// Records the size in bytes of every page of the image, by an identifier of the page.
    pub fn pages(&self, pages: &mut FxHashMap<usize, usize>) {
        let each = &mut |page: usize, bytes: usize| {
            pages.insert(page, bytes);
        };
        self.globals.iter().for_each(|tensor| tensor.pages(each));
        self.cores.iter().for_each(|core| core.pages(each));
    }
}

impl<'p> Stepper<'p> {
    /// Takes an image of the machine. Pages are shared with an earlier image where they are the same.
    pub fn image(&self, before: Option<&Image<'p>>) -> Image<'p> {
        let shared = &self.shared;
        let chip = &shared.chip;
        let globals = chip.globals.iter().enumerate();
        let cores = chip.cores().iter().enumerate();
        Image {
            lanes: self.lanes.clone(),
            states: self.states.clone(),
            group: self.group.clone(),
            flags: shared.flags.clone(),
            provenance: shared.provenance.clone(),
            seen: shared.seen.clone(),
            tally: shared.tally,
            globals: globals
                .map(|(at, tensor)| tensor.image(before.map(|before| &before.globals[at])))
                .collect(),
            cores: cores
                .map(|(at, core)| core.image(before.map(|before| &before.cores[at])))
                .collect(),
            ownership: chip.ownership.clone(),
            carried: chip.carried.clone(),
        }
    }

    /// Resets the machine to an image.
    pub fn restore(&mut self, image: &Image<'p>) {
        self.lanes.clone_from(&image.lanes);
        self.states.clone_from(&image.states);
        self.group = image.group.clone();
        let shared = &mut self.shared;
        shared.flags.clone_from(&image.flags);
        shared.provenance.clone_from(&image.provenance);
        shared.seen.clone_from(&image.seen);
        shared.tally = image.tally;
        let chip = &mut shared.chip;
        for (tensor, image) in chip.globals.iter_mut().zip(&image.globals) {
            tensor.restore(image);
        }
        for (core, image) in chip.cores_mut().iter_mut().zip(&image.cores) {
            core.restore(image);
        }
        chip.ownership.clone_from(&image.ownership);
        chip.carried.clone_from(&image.carried);
    }

    /// Hashes all state that decides how the run goes on: memories with their definedness, and lanes with
    /// their variables, masks, events and queued work.
    pub fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        let shared = &self.shared;
        for tensor in &shared.chip.globals {
            tensor.memory().hash_into(&mut hasher);
        }
        for core in shared.chip.cores() {
            core.hash_into(&mut hasher);
        }
        // By their `Debug` text, which includes every field, also one that is added later.
        let mut text = Text(&mut hasher);
        for (lane, state) in self.lanes.iter().zip(&self.states) {
            lane.describe(&mut text);
            text.write(state);
        }
        text.write(&shared.flags);
        text.write(&shared.seen.findings);
        hasher.finish()
    }
}
