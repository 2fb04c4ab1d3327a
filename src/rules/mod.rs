//! The rule catalogue. A rule is one file: documentation, metadata, check.
//!
//! Rules are pure functions over [`Facts`]; they know nothing of files, options or formats.

mod capacity;
mod column_masks;
mod event_balance;
mod gains;
mod gathers;
mod guards;
mod hazards;
mod illegal_moves;
mod masks;
mod mutex_pipes;
mod operand_walks;
mod operands;
mod reconcile;
mod rule;
mod sightings;
mod source_forms;
mod tiles;
mod tokens;
mod trail;
mod wording;
mod workspaces;

pub use reconcile::reconcile;
pub use rule::{
    CALLED, Check, Comments, Facts, FileFacts, FixKind, GatherFacts, Group, MmaFacts, RecordFacts,
    Report, Rule, Sink, TileFacts,
};

/// Declares the rule modules and the registry in one list, in code order.
macro_rules! registry {
    ($($module:ident),* $(,)?) => {
        $(mod $module;)*

        /// Every rule, in code order.
        pub static RULES: &[&Rule] = &[$(&$module::RULE),*];
    };
}

/// Advises to use all cores; who says how many a kernel runs on wants no others.
pub static FEW_CORES: &Rule = &few_cores::RULE;

registry! {
    l0c_overflow,
    ub_overflow,
    l1_overflow,
    l0ab_overflow,
    bias_overflow,
    local_rank,
    narrow_row,
    l1_backing_short,
    l0c_backing_short,
    local_tail_shape,
    a5_only_api,
    l0c_to_ub,
    ub_to_l1,
    l0c_to_l1_float,
    cube_detour,
    illegal_move,
    transposed_move,
    facade_mix,
    deprecated_set_cmpmask,
    vec_mode_collective,
    repeat_range,
    mmad_range,
    sub_block_in_cube,
    scalar_overflow,
    wrong_side,
    undefined_arithmetic,
    move_dtype,
    dup_dtype,
    op_dtype,
    cast_pair,
    sqrt_int_var,
    int_scalar_truncation,
    int_compare_mode,
    bitwise_width,
    shift_count,
    accumulator_dtype,
    mask_dtype,
    narrow_cast,
    dup_coverage,
    ub_to_ub_scalar,
    operand_overrun,
    tail_uncovered,
    slice_stride,
    narrow_destination,
    wide_narrow,
    scalars_unbroadcast,
    brcb_strides,
    reduce_row_width,
    reduce_overrun,
    count_modes,
    operand_alignment,
    partial_overlap,
    no_effect,
    select_mask_expanded,
    select_mask_short,
    select_scalar_source,
    mask_ignored,
    mask_arguments_swapped,
    mask_leak,
    masked_reduction_stale,
    mask_clobbered,
    compare_nan,
    compare_tail,
    mask_rows,
    select_reserve,
    uninitialized_read,
    zero_by_multiply,
    infinite_sentinel,
    output_hole,
    unseeded_accumulation,
    padding_in_reduction,
    setvalue_fill,
    setvalue_mask_loop,
    sum_after_cast,
    nan_produced,
    stale_tail,
    discarded_product,
    gm_out_of_bounds,
    gm_slice_rank,
    sub_block_column,
    workspace_slot,
    half_written_workspace,
    sub_block_split,
    stale_diagonal_mask,
    core_overlap,
    l1_operand_slice,
    l0c_row_offset,
    bias_layout,
    reinterpret_view,
    atomic_double_count,
    gather_offset,
    ring_contract,
    race,
    event_unbalanced,
    deadlock,
    event_budget,
    cv_mutex_pipes,
    vc_mutex_pipes,
    wait_pipe,
    missing_mutex,
    mutex_protocol,
    mutex_depth,
    flag_id,
    slot_lifetime,
    one_lane_token,
    auto_sync_scope,
    scalar_hazard,
    accumulate_settle,
    release_unguarded,
    redundant_barrier,
    trace_error,
    static_if,
    loop_exit_at_trace,
    lost_update,
    var_alias,
    truthy_var,
    kernel_name,
    nested_kernel,
    signature,
    unused_buffer,
    unused_suppression,
    unknown_rule,
    syntax_error,
    unknown_name,
    launch_unusable,
    launch_unreadable,
    contract_violated,
    contract_too_wide,
    bank_conflict,
    unneeded_barrier,
    single_slot,
    misaligned_rows,
    small_moves,
    few_cores,
    same_addresses,
    scalar_loop,
    gathered_rows,
    float_product,
    tsel_element_size,
    tsel_element_type,
    tsel_missing_tmp,
    tsel_type_mismatch,
    tsel_layout,
    tsel_mask_too_narrow,
    tsel_mask_divergence,
    tsel_mask_dtype,
    tsel_valid_region,
    tsel_producer_layout,
    tcmp_int_mode,
    tcmp_row_bytes,
    tassign_overlap,
    tassign_out_of_bounds,
    tassign_alignment,
    tile_unassigned,
    tile_alignment,
    tile_valid_range,
    tsel_sync_missing,
    event_same_pipe,
    ptoas_arity,
    ptoas_mask_type,
    ptoas_placeholder,
    tsel_mask_rows,
    flag_wait_first,
    ptoas_undefined_value,
    gather_pattern_range,
    gather_pattern_product,
    gather_dtype_product,
    gather_pattern_dtype,
    gather_type_mismatch,
    gather_alignment,
    gather_normal_mask,
    gather_counter_mask,
    gather_repeat_zero,
    gather_repeat_overlap,
    gather_source_bounds,
    gather_destination_bounds,
    gather_pattern_bounds,
    gather_pattern_stride,
    gather_narrowing,
    gather_count_type,
    gather_count_ignored,
    gather_missing_barrier,
    gather_mask_mode,
    gather_partial_overlap,
    gather_position,
    gather_portability,
    gather_deprecated,
    gather_arguments_swapped,
    gather_reserved_parameter,
    gather_field_width,
    zcm_cta_group,
    zcm_mixed_group,
    zcm_not_ws,
    zcm_operand_order,
    zcm_operand_type,
    zcm_lane_vector,
    zcm_modifier,
    zcm_collector_spelling,
    zcm_collector_order,
    zcm_shape,
    zcm_target,
    zcm_reserved_bits,
    zcm_shift_range,
    zcm_shift_descriptor,
    zcm_disabled_fields,
    zcm_unused_submask,
    zcm_start_count,
    zcm_degenerate,
    zcm_restart,
    zcm_form,
}

/// The property that a finding speaks against: its rule's, except for advice that no replay has confirmed.
pub fn property_of(finding: &crate::finding::Finding) -> Option<crate::verdict::Property> {
    let is_advice = finding.ring.is_some() && finding.witness.is_none();
    find(finding.name)?.property.filter(|_| !is_advice)
}

/// The rule with this name or code.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES
        .iter()
        .copied()
        .find(|rule| rule.name == name || rule.code.eq_ignore_ascii_case(name))
}
