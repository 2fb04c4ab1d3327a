//! Lists names that exist on A5 devices only, with the replacement in a kernel for A2.

/// One name that a DSL's module for A5 exports.
#[derive(Debug, Clone, Copy)]
pub struct A5Name {
    /// The name.
    pub name: &'static str,
    /// The replacement on A2, as a clause.
    pub instead: &'static str,
}

const REGISTERS: &str = "A2 vector instructions work on UB tensors directly, without registers";
const WORKSPACE_DOWN: &str = "go through a GM workspace: `ws[...] <<= l0c` on the cube side, `ub <<= ws[...]` on the vec side, guarded by a CvMutex";
const WORKSPACE_UP: &str = "go through a GM workspace: `ws[...] <<= ub` on the vec side, `l1 <<= ws[...]` on the cube side, guarded by a VcMutex";
const NO_MX: &str = "A2 has no microscaling matrix formats; convert to half, bfloat16 or int8";
const VIEWS: &str = "use `.T` on the matmul operand in L1 instead of transposing while loading";
const MASKS: &str = "use set_mask/reset_mask, count_per_rep= or packed masks of compare/select";

macro_rules! names {
    ($($instead:expr => $($name:literal)+;)*) => {
        static A5_NAMES: &[A5Name] = &[$($(A5Name { name: $name, instead: $instead },)+)*];
    };
}

names! {
    REGISTERS => "vf" "vf_barrier" "micro" "simt" "Reg" "RegList" "MaskReg" "MaskType" "CastConfig"
        "DualMode" "DivConfig" "RegLayout" "LoadDist" "StoreDist" "reg_to_ub" "ub_to_reg" "vcopy" "print_reg";
    WORKSPACE_DOWN => "l0c_to_ub";
    WORKSPACE_UP => "ub_to_l1" "ub_to_l1_nd2nz" "ub_to_l1_nz";
    "use gm_to_l1 with an L1 tensor of layout=Layout.ND" => "gm_to_l1_pad";
    VIEWS => "gm_to_l1_dn2nz" "l0c_to_gm_nz2dn";
    NO_MX => "gm_to_l1_mx_scale" "l1_to_l0_mx" "mmad_mx" "matmul_mx";
    "use gm_to_ub_pad" => "gm_to_ub_nd_dma";
    "build a column-index template with SetValueTo through an int64 view" => "arange";
    "use muls(dst, src, -1.0)" => "neg";
    "use ln and scale with muls" => "log" "log2" "log10";
    "combine vand, vor and vnot on 16-bit views" => "vxor";
    "use shiftls" => "shiftl";
    "use shiftrs" => "shiftr";
    "use lrelu with a scalar slope, or compare and select" => "prelu";
    "use sub, then exp" => "expsub";
    "use sub, then abs" => "abssub";
    "use muls, then cast" => "mulscast";
    "use muladddst" => "muldstadd";
    "use gather with a byte-offset tensor" => "interleave" "deinterleave" "squeeze" "unsqueeze" "gather_mask" "pack";
    "use sort32 and mergesort4" => "histograms" "topk_radix";
    MASKS => "update_mask" "mask_and" "mask_or" "mask_not" "mask_xor" "mask_gen";
}

/// Returns the entry of an A5-only name; `None` for other names. Families (`simt_…`, `reg_to_ub_…`) match by
/// prefix.
pub fn a5_only(name: &str) -> Option<&'static A5Name> {
    const FAMILIES: &[&str] = &["simt", "reg_to_ub", "ub_to_reg", "gm_to_l1_mx_scale"];
    A5_NAMES
        .iter()
        .find(|entry| entry.name == name)
        .or_else(|| {
            let family = FAMILIES.iter().find(|family| {
                name.strip_prefix(**family)
                    // With the underscore, so that a longer word with the same beginning is not a member of
                    // the family.
                    .is_some_and(|rest| rest.starts_with('_'))
            })?;
            A5_NAMES.iter().find(|entry| entry.name == *family)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_match_by_prefix() {
        assert!(a5_only("l0c_to_ub").is_some());
        assert_eq!(a5_only("reg_to_ub_interleave").unwrap().name, "reg_to_ub");
        assert!(a5_only("add").is_none());
        assert!(a5_only("micro_batch").is_none());
    }
}
