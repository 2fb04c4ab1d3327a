//! Shrinks launches that are too large to run.
//!
//! Every extent keeps its remainder modulo the tile, equal extents stay equal, and multiples stay multiples as far as
//! the sizes allow. A kernel therefore handles its tails, and its tensors fit together, as at full size. The exception
//! is a number that depends on an extent but does not shrink with it: a constant of the kernel, or a scalar that counts
//! tiles. Where there may be one, `keeps_bounds` is false and bounds are not judged.

use super::expressions::Expressions;
use super::tails::common_divisor;
use a2lint_ir::arithmetic::whole;
use a2lint_ir::{Launch, ParamKind, Program, ScalarId};
use a2lint_isa::device::Device;

/// Maximum number of slots of a ring for which sizes are raised; longer rings would make stand-ins large again.
const MAX_SLOTS: i64 = 4;
/// Largest tile whose remainders are kept.
const MAX_UNIT: i64 = 2048;
/// The tile that is assumed for a kernel without constants: a repeat of half elements.
const NO_NUMBERS: i64 = 128;
/// Tiles that the smallest extent keeps, the first that fits into the budget.
const TILES: [i64; 2] = [4, 2];
/// Maximum number of tiles of an extent, as a multiple of the tiles of the smallest extent.
const MAX_RATIO: i64 = 8;

/// A shrunk launch and its changes: name, new size, old size.
pub(super) struct Shrunk {
    pub launch: Launch,
    pub changes: Vec<(String, i64, i64)>,
    /// Whether each access of the shrunk launch is inside of its tensor exactly if it is so at full size.
    pub keeps_bounds: bool,
}

impl Shrunk {
    /// Formats why a launch was shrunk, as `run with M=1152 in place of 36992`.
    pub fn reason(&self) -> String {
        let changes = self.changes.iter();
        let changes = changes.map(|(name, now, was)| format!("{name}={now} in place of {was}"));
        format!("run with {}", changes.collect::<Vec<_>>().join(", "))
    }
}

/// Returns the iterations after which a lane has reused the first slot of every ring.
pub fn rounds(program: &Program) -> i64 {
    ring(program) + 1
}

/// Returns shrunk launches, the largest first. In the first one each lane has enough tiles to reuse the slots of every
/// ring.
pub(super) fn all(program: &Program, launch: &Launch, device: Device) -> Vec<Shrunk> {
    let cores = launch.block_dim.or(program.block_dim);
    let cores = cores.unwrap_or(device.cube_cores);
    let turning = Sizes::of(program, launch, TILES[0])
        .map(|sizes| sizes.turning(program, launch, cores))
        .filter(|&tiles| tiles > TILES[0]);
    let tiles = turning.into_iter().chain(TILES);
    tiles
        .filter_map(|tiles| shrunk(program, launch, tiles, i64::from(cores)))
        .collect()
}

/// Shrinks a launch so that its smallest large extent keeps `tiles` tiles; `None` if no extent is larger than that.
fn shrunk(program: &Program, launch: &Launch, tiles: i64, cores: i64) -> Option<Shrunk> {
    let sizes = Sizes::of(program, launch, tiles)?;
    let mut smaller = launch.clone();
    let mut changes: Vec<(String, i64, i64)> = Vec::new();
    // The number of cores does not shrink. An extent that is a multiple of it may depend on it, and would then no
    // longer fit.
    let mut follows_cores = false;
    let mut note = |name: &str, now: i64, was: i64| {
        if now != was && changes.iter().all(|(known, ..)| known != name) {
            changes.push((name.to_owned(), now, was));
        }
    };
    for (name, value) in &mut smaller.scalars {
        if let Some(was) = whole(*value) {
            let now = sizes.size(was);
            note(name, now, was);
            *value = now as f64;
        }
    }
    for (at, tensor) in smaller.tensors.iter_mut().enumerate() {
        let spelled = std::mem::take(&mut tensor.spelled);
        for (axis, extent) in tensor.shape.iter_mut().flatten().enumerate() {
            let was = std::mem::replace(extent, sizes.extent(*extent));
            let known = launch.scalars.iter().any(|(_, value)| *value == was as f64);
            match spelled.get(axis).and_then(Option::as_deref) {
                Some(name) => note(name, *extent, was),
                None if !known => {
                    note(&format!("axis {axis} of tensor {at}"), *extent, was);
                    follows_cores |= *extent != was && was % cores == 0;
                }
                None => {}
            }
        }
        tensor.spelled = spelled;
    }
    if changes.is_empty() {
        return None;
    }
    let keeps_bounds = !follows_cores && keeps_bounds(program, &sizes, &changes);
    Some(Shrunk {
        launch: smaller,
        changes,
        keeps_bounds,
    })
}

/// Returns whether no unchanged number may depend on a shrunk extent: every constant of the kernel is below the new
/// size, no two of them make up the old size, and no unchanged scalar divides the old size into a known number of
/// parts.
fn keeps_bounds(program: &Program, sizes: &Sizes, changes: &[(String, i64, i64)]) -> bool {
    let numbers = numbers(program);
    let kept = || {
        sizes
            .factors
            .iter()
            .filter(|&&size| size > 1 && sizes.size(size) == size)
    };
    changes.iter().all(|&(_, now, was)| {
        let counts = |&part: &i64| {
            was % part == 0
                && (numbers.contains(&(was / part)) || sizes.factors.contains(&(was / part)))
        };
        // A number of tiles that is written out times the tile that is written out.
        let covers = |&part: &i64| part > 1 && was % part == 0 && numbers.contains(&(was / part));
        numbers.iter().all(|&number| number < now)
            && !kept().any(counts)
            && !numbers.iter().any(covers)
    })
}

/// The mapping from old to new sizes.
struct Sizes {
    unit: i64,
    /// Units in the smallest extent that shrinks.
    least: i64,
    /// Number of units that the smallest extent keeps.
    tiles: i64,
    /// Integer scalars of the launch; an extent may be the product of two.
    factors: Vec<i64>,
    /// Scalars and extents, ascending.
    all: Vec<i64>,
}

impl Sizes {
    fn of(program: &Program, launch: &Launch, tiles: i64) -> Option<Sizes> {
        let unit = unit(program);
        let scalars = launch.scalars.iter();
        let factors: Vec<i64> = scalars.filter_map(|(_, value)| whole(*value)).collect();
        let shapes = launch
            .tensors
            .iter()
            .filter_map(|tensor| tensor.shape.as_ref());
        let mut all: Vec<i64> = factors.iter().chain(shapes.flatten()).copied().collect();
        all.sort_unstable();
        let units = all.iter().map(|size| size / unit);
        let units = units.filter(|&units| units > tiles);
        Some(Sizes {
            unit,
            least: units.min()?,
            tiles,
            factors,
            all,
        })
    }

    /// Returns how many units the smallest extent must keep so that each lane reuses the slots of every ring.
    fn turning(&self, program: &Program, launch: &Launch, cores: u32) -> i64 {
        let expressions = Expressions::of(program);
        let turns = turns(program);
        let params = program.params.iter().filter_map(|param| match param.kind {
            ParamKind::Variable(id) => Some((&param.name, id)),
            _ => None,
        });
        let needed = params.filter_map(|(name, id)| {
            let (_, value) = launch.scalars.iter().find(|(known, _)| known == name)?;
            let workers = i64::from(expressions.share(id)?.workers(cores));
            let tile = expressions.tile(id).or_else(|| expressions.unit(id))?;
            let size = tile.checked_mul(workers)?.checked_mul(turns)?;
            let units = whole(*value)? / self.unit;
            let wanted = size.saturating_add(self.unit - 1) / self.unit;
            (units > 0).then(|| wanted.saturating_mul(self.least).saturating_add(units - 1) / units)
        });
        needed.max().unwrap_or(0)
    }

    /// Returns the new size. If the next larger size is less than a unit away, the distance to that size is kept.
    fn size(&self, size: i64) -> i64 {
        let above = self.above(size);
        let beside = self.alone(above) - (above - size);
        match beside > 0 {
            true => beside,
            false => self.alone(size),
        }
    }

    /// Returns the end of the chain of sizes that starts at `size` and whose steps are below a unit.
    fn above(&self, size: i64) -> i64 {
        let mut above = size;
        for &next in &self.all {
            if next > above && next - above < self.unit {
                above = next;
            }
        }
        above
    }

    /// Returns the new size without regard to its neighbours.
    fn alone(&self, size: i64) -> i64 {
        let units = size / self.unit;
        if units <= self.tiles {
            return size;
        }
        let now =
            (units as i128 * self.tiles as i128 + self.least as i128 / 2) / self.least as i128;
        let now = now.min(i128::from(self.tiles) * i128::from(MAX_RATIO)) as i64;
        now * self.unit + size % self.unit
    }

    /// Returns the new extent of a tensor; a product of two scalars becomes the product of their new sizes.
    fn extent(&self, extent: i64) -> i64 {
        if self.factors.contains(&extent) {
            return self.size(extent);
        }
        let factors = self.factors.iter().filter(|&&factor| factor > 1);
        for &factor in factors {
            let other = extent / factor;
            let is_product = extent % factor == 0 && self.factors.contains(&other);
            if is_product && (self.size(factor) != factor || self.size(other) != other) {
                return self.size(factor) * self.size(other);
            }
        }
        self.size(extent)
    }
}

/// Returns the iterations after which the slots of every ring have been reused, and two more.
pub(super) fn turns(program: &Program) -> i64 {
    ring(program) + 2
}

/// Returns the slots of the longest ring, at most [`MAX_SLOTS`].
fn ring(program: &Program) -> i64 {
    let slots = program.buffers.iter().map(|buffer| i64::from(buffer.slots));
    slots.max().unwrap_or(1).clamp(1, MAX_SLOTS)
}

/// Returns a common multiple of the kernel's constants (tiles, parts of rows), at most [`MAX_UNIT`].
fn unit(program: &Program) -> i64 {
    let mut numbers = numbers(program);
    numbers.retain(|number| (2..=MAX_UNIT).contains(number));
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    let common = numbers.into_iter().reduce(|a, b| {
        let multiple = a / common_divisor(a, b) * b;
        if multiple <= MAX_UNIT { multiple } else { a }
    });
    common.unwrap_or(NO_NUMBERS)
}

fn numbers(program: &Program) -> Vec<i64> {
    let scalars = &program.scalars;
    let all = (0..scalars.len() as u32).map(ScalarId);
    all.filter_map(|id| scalars.as_int(id)).collect()
}
