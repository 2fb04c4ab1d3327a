//! Snapshots of a memory, in pages that are shared where nothing has changed.

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::{FRESH, Memory};

/// Number of bytes of a page, and of flags in its definedness shadow.
const PAGE: usize = 4096;

/// Some bytes of a memory with their definedness.
#[derive(Debug, PartialEq, Eq)]
struct Page {
    bytes: Box<[u8]>,
    defined: Box<[u64]>,
}

impl Page {
    fn holds(&self, (bytes, defined): (&[u8], &[u64])) -> bool {
        *self.defined == *defined && *self.bytes == *bytes
    }
}

/// The contents of a memory at one instant.
#[derive(Clone, Debug)]
pub struct MemoryImage {
    /// The pages; `None` for one that does not exist yet.
    pages: Arc<[Option<Arc<Page>>]>,
    /// Partly defined bytes with their defined bits.
    partial: BTreeMap<usize, u8>,
}

impl MemoryImage {
    /// Calls `each` with an identifier of each page, and its size in bytes.
    pub fn pages(&self, each: &mut dyn FnMut(usize, usize)) {
        each(self.pages.as_ptr() as usize, size_of_val(&*self.pages));
        for page in self.pages.iter().flatten() {
            let size = page.bytes.len() + 8 * page.defined.len() + size_of::<Page>();
            each(Arc::as_ptr(page) as usize, size);
        }
    }
}

impl Memory {
    /// Copies the pages that exist. Pages are shared with an earlier image where they are the same.
    pub fn image(
        &self,
        before: Option<&MemoryImage>,
        is_there: impl Fn(usize) -> bool,
    ) -> MemoryImage {
        let mut pages: Vec<Option<Arc<Page>>> = Vec::with_capacity(self.page_count());
        for index in 0..self.page_count() {
            let page = is_there(index).then(|| {
                let now = self.page(index);
                let earlier = before.and_then(|before| before.pages[index].as_ref());
                // Neighbouring pages are often the same, above all where nothing has been written yet.
                let left = pages.last().and_then(Option::as_ref);
                let mut known = [earlier, left].into_iter().flatten();
                match known.find(|page| page.holds(now)) {
                    Some(page) => Arc::clone(page),
                    None => Arc::new(Page {
                        bytes: now.0.into(),
                        defined: now.1.into(),
                    }),
                }
            });
            pages.push(page);
        }
        // If no page has changed, images share the whole list.
        let same = |before: &&MemoryImage| before.pages.iter().zip(&pages).all(is_same);
        MemoryImage {
            pages: match before.filter(same) {
                Some(before) => Arc::clone(&before.pages),
                None => pages.into(),
            },
            partial: self.defined.partial().clone(),
        }
    }

    /// Restores the contents of an image. Existing pages that the image does not have become as in
    /// [`Memory::vacant`].
    pub fn restore(&mut self, image: &MemoryImage, is_there: impl Fn(usize) -> bool) {
        for (index, page) in image.pages.iter().enumerate() {
            let start = index * PAGE;
            let end = (start + PAGE).min(self.bytes.len());
            match page {
                Some(page) if !page.holds(self.page(index)) => {
                    self.bytes[start..end].copy_from_slice(&page.bytes);
                    self.defined.restore_page(index, &page.defined);
                }
                None if is_there(index) => {
                    self.bytes[start..end].fill(0);
                    let flags = self.defined.page(index).len();
                    self.defined.restore_page(index, &vec![0; flags]);
                }
                _ => {}
            }
        }
        self.defined.set_partial(image.partial.clone());
    }

    /// Hashes the contents. Pages that are as in fresh memory are skipped: of two memories with the same
    /// contents, one may not have created them yet.
    pub fn hash_into(&self, hasher: &mut FxHasher) {
        for index in 0..self.page_count() {
            let (bytes, defined) = self.page(index);
            let is_fresh =
                defined.iter().all(|&word| word == 0) && bytes.iter().all(|&byte| byte == FRESH);
            if !is_fresh {
                hasher.write_usize(index);
                hasher.write(bytes);
                defined.iter().for_each(|&word| hasher.write_u64(word));
            }
        }
        for (&at, &bits) in self.defined.partial() {
            hasher.write_usize(at);
            hasher.write_u8(bits);
        }
    }

    fn page_count(&self) -> usize {
        self.bytes.len().div_ceil(PAGE)
    }

    fn page(&self, index: usize) -> (&[u8], &[u64]) {
        let start = index * PAGE;
        let end = (start + PAGE).min(self.bytes.len());
        (&self.bytes[start..end], self.defined.page(index))
    }
}

fn is_same((a, b): (&Option<Arc<Page>>, &Option<Arc<Page>>)) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(image: &MemoryImage) -> usize {
        let mut pages = std::collections::BTreeMap::new();
        image.pages(&mut |page, bytes| {
            pages.insert(page, bytes);
        });
        pages.values().sum()
    }

    #[test]
    fn an_image_restores_the_contents_of_a_memory() {
        let mut memory = Memory::new(3 * PAGE + 100);
        memory.bytes_mut(10..20).fill(7);
        memory.set_defined(10..20, true);
        memory.set_defined_bits(3 * PAGE + 5, 0x0F);
        let then = memory.clone();
        let image = memory.image(None, |_| true);
        memory.bytes_mut(0..3 * PAGE).fill(1);
        memory.set_defined(0..3 * PAGE + 100, true);
        memory.restore(&image, |_| true);
        assert_eq!(memory, then);
        // Pages that were known to be defined throughout are so no more.
        assert!(!memory.all_defined(0..PAGE) && !memory.any_defined(PAGE..2 * PAGE));
    }

    #[test]
    fn images_share_what_has_not_changed() {
        let mut memory = Memory::new(16 * PAGE);
        let first = memory.image(None, |_| true);
        // All pages are fresh, so one page and the list of pages suffice.
        assert!(size(&first) < 2 * PAGE, "sixteen pages alike are one");
        assert!(Arc::ptr_eq(
            &first.pages,
            &memory.image(Some(&first), |_| true).pages
        ));
        memory.put(5 * PAGE, 1_u8);
        let second = memory.image(Some(&first), |_| true);
        let differ = first
            .pages
            .iter()
            .zip(&*second.pages)
            .filter(|pair| !is_same(*pair));
        assert_eq!(differ.count(), 1);
    }
}
