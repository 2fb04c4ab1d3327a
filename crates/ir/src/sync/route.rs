//! Defines the flags that implement a mutex.

use crate::{Mutex, MutexKind};
use a2lint_isa::Route;

/// The largest number of free tokens of a mutex; further tokens do not change the result.
const MAX_CREDITS: i64 = 255;

impl Mutex {
    /// Returns the number of free tokens that are set at the start and awaited at the end.
    pub fn credits(&self) -> u32 {
        self.depth
            .map_or(0, |depth| depth.clamp(0, MAX_CREDITS) as u32)
    }

    /// Returns the route of the data flag.
    pub fn data_route(&self) -> Route {
        match self.kind {
            MutexKind::CubeToVec => Route::CubeToVec,
            MutexKind::VecToCube => Route::VecToCube,
        }
    }

    /// Returns the route of the free flag.
    pub fn credit_route(&self) -> Route {
        match self.kind {
            MutexKind::CubeToVec => Route::VecToCube,
            MutexKind::VecToCube => Route::CubeToVec,
        }
    }
}
