//! The flags that a mutex is made of.

use crate::{Mutex, MutexKind};
use a2lint_isa::Route;

/// Most free tokens of a mutex; what a kernel asks for beyond makes no difference.
const MAX_CREDITS: i64 = 255;

impl Mutex {
    /// Free tokens that are posted at the start and collected at the end.
    pub fn credits(&self) -> u32 {
        self.depth
            .map_or(0, |depth| depth.clamp(0, MAX_CREDITS) as u32)
    }

    /// The way data goes.
    pub fn data_route(&self) -> Route {
        match self.kind {
            MutexKind::CubeToVec => Route::CubeToVec,
            MutexKind::VecToCube => Route::VecToCube,
        }
    }

    /// The way free tokens go.
    pub fn credit_route(&self) -> Route {
        match self.kind {
            MutexKind::CubeToVec => Route::VecToCube,
            MutexKind::VecToCube => Route::CubeToVec,
        }
    }
}
