//! Events, barriers, mutexes, and accesses without an order.

pub(crate) mod accumulate_settle;
pub(crate) mod auto_sync_scope;
pub(crate) mod constant_under_copy;
pub(crate) mod cv_mutex_pipes;
pub(crate) mod deadlock;
pub(crate) mod event_balance;
pub(crate) mod event_budget;
pub(crate) mod event_unbalanced;
pub(crate) mod flag_id;
pub(crate) mod foreign_barrier;
pub(crate) mod missing_mutex;
pub(crate) mod more_blocks;
pub(crate) mod mutex_depth;
pub(crate) mod mutex_pipes;
pub(crate) mod mutex_protocol;
pub(crate) mod one_lane_token;
pub(crate) mod race;
pub(crate) mod redundant_barrier;
pub(crate) mod release_unguarded;
pub(crate) mod scalar_hazard;
pub(crate) mod slot_lifetime;
pub(crate) mod unfinished_work;
pub(crate) mod unit_flag;
pub(crate) mod vc_mutex_pipes;
pub(crate) mod wait_pipe;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &race::RULE,
    &event_unbalanced::RULE,
    &deadlock::RULE,
    &event_budget::RULE,
    &cv_mutex_pipes::RULE,
    &vc_mutex_pipes::RULE,
    &wait_pipe::RULE,
    &missing_mutex::RULE,
    &mutex_protocol::RULE,
    &mutex_depth::RULE,
    &flag_id::RULE,
    &slot_lifetime::RULE,
    &one_lane_token::RULE,
    &auto_sync_scope::RULE,
    &scalar_hazard::RULE,
    &accumulate_settle::RULE,
    &release_unguarded::RULE,
    &redundant_barrier::RULE,
    &foreign_barrier::RULE,
    &more_blocks::RULE,
    &constant_under_copy::RULE,
    &unit_flag::RULE,
    &unfinished_work::RULE,
];
