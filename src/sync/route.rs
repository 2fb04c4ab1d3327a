//! Flags between lanes: from whom to whom they go, and the mutexes that are made of them.

use crate::ir::{Mutex, MutexKind};

/// Most free tokens of a mutex; what a kernel asks for beyond makes no difference.
const MAX_CREDITS: i64 = 255;

/// From whom to whom a flag goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Route {
    /// From the cube to both vec lanes of its core.
    CubeToVec,
    /// From both vec lanes to their cube.
    VecToCube,
    /// Among the cubes of all cores.
    AllCubes,
    /// Among the vec lanes of all cores.
    AllVecs,
    /// Among the two vec lanes of a core.
    CoreVecs,
}

impl Route {
    /// How reports describe the wait.
    pub const fn awaited(self) -> &'static str {
        match self {
            Route::CubeToVec => "the cube lane",
            Route::VecToCube => "both vec lanes",
            Route::AllCubes => "the cubes of all cores",
            Route::AllVecs => "the vec lanes of all cores",
            Route::CoreVecs => "the other vec lane",
        }
    }
}

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
