//! Operator projects in the forms that repositories have, found and checked from `a2lint check .` alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common;

/// The files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// A copy of the projects, changed file by file.
fn copy(change: impl Fn(&Path, String) -> String) -> tempfile::TempDir {
    let root = common::root().join("tests/ascendc/projects");
    let copied = tempfile::tempdir().expect("a temporary directory");
    let mut all = Vec::new();
    files(&root, &mut all);
    for path in all {
        let inside = path.strip_prefix(&root).expect("inside");
        let text = fs::read_to_string(&path).expect("text");
        let to = copied.path().join(inside);
        fs::create_dir_all(to.parent().expect("a folder")).expect("folders");
        fs::write(to, change(inside, text)).expect("a file");
    }
    copied
}

/// Returns the operator of a file: the folder that contains `op_kernel`, or else the folder of the file.
fn operator(path: &str) -> &str {
    let folders: Vec<&str> = path.split('/').collect();
    let kernels = folders.iter().position(|it| *it == "op_kernel");
    folders[kernels.unwrap_or(folders.len() - 1) - 1]
}

/// Parses the comment of a text that names its mistake; returns the property, the old code and the new code.
fn mistake(text: &str) -> Option<(&str, &str, &str)> {
    let line = text
        .lines()
        .find_map(|it| it.strip_prefix("// mistake: "))?;
    let (property, change) = line.split_once(": ")?;
    let (old, new) = change.split_once(" =>")?;
    Some((property, old, new.trim_start()))
}

fn checked(folder: &Path) -> Value {
    let output = common::binary()
        .args(["check", "--no-cache", "--output-format", "json", "."])
        .current_dir(folder)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

#[test]
fn sound_operators_are_read_whole_with_their_launches_and_have_no_findings() {
    let folder = copy(|_, text| text);
    let report = checked(folder.path());
    let said: Vec<&str> = list(&report["findings"])
        .iter()
        .map(|it| text(it, "message"))
        .collect();
    assert_eq!(said, [""; 0]);
    assert_eq!(report["not_analysed"], Value::Array(Vec::new()));
    let others = list(&report["other_products"]).iter();
    let others: Vec<(&str, &str)> = others
        .map(|it| (text(it, "kernel"), text(it, "reason")))
        .collect();
    assert_eq!(
        others,
        [("half_scale", "its operator has this file for `ascend950`")]
    );
    let mut started = BTreeSet::new();
    let mut operators = BTreeSet::new();
    for kernel in list(&report["kernels"]) {
        assert_eq!(text(kernel, "traced"), "whole", "{kernel}");
        let operator = operator(text(kernel, "path"));
        operators.insert(operator);
        let launches = list(&kernel["launches"]);
        if launches.iter().any(|it| text(it, "from") == "file") {
            started.insert(operator);
        }
    }
    assert_eq!(operators.len(), 17, "{operators:?}");
    assert_eq!(started, operators);
    let names: BTreeSet<&str> = list(&report["kernels"])
        .iter()
        .map(|it| text(it, "name"))
        .collect();
    for name in [
        "shift_rows[DTYPE_X=half]",
        "shift_rows[DTYPE_X=int32_t]",
        "clip_rows[TILING_KEY=1]",
        "clip_rows[TILING_KEY=2]",
        "relu_bias[TILING_KEY=3]",
        "scaled_add<0>",
        "scaled_add<1>",
        "half_scale[DTYPE_X=half]",
        "negate_pairs<half>",
        "pick_lines[DTYPE_X=float]",
        "pick_lines[DTYPE_X=int32_t]",
    ] {
        assert!(names.contains(name), "{name} in {names:?}");
    }
}

#[test]
fn the_mistake_of_each_operator_is_found() {
    let folder = copy(|_, text| match mistake(&text) {
        Some((_, old, new)) => {
            // The comment contains the old code as well, and stays as it is.
            let head = text.find(" => ").expect("the comment");
            let end = head + text[head..].find('\n').expect("a line");
            let (comment, code) = text.split_at(end);
            assert!(code.contains(old), "{old}");
            format!("{comment}{}", code.replacen(old, new, 1))
        }
        None => text,
    });
    let report = checked(folder.path());
    let mut refuted: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for kernel in list(&report["kernels"]) {
        let verdicts = list(&kernel["verdicts"]).iter();
        let of_kernel = verdicts.filter(|it| text(it, "status") == "refuted");
        let operator = refuted.entry(operator(text(kernel, "path")));
        operator
            .or_default()
            .extend(of_kernel.map(|it| text(it, "property")));
    }
    let mut all = Vec::new();
    files(folder.path(), &mut all);
    let mut mistakes = 0;
    for path in all {
        let source = fs::read_to_string(&path).expect("text");
        let Some((property, ..)) = mistake(&source) else {
            continue;
        };
        mistakes += 1;
        let inside = path.strip_prefix(folder.path()).expect("inside");
        let operator = operator(inside.to_str().expect("a name"));
        let found = &refuted[operator];
        assert!(found.contains(property), "{operator}: {found:?}");
    }
    assert_eq!(mistakes, 17);
}

/// A project of these files.
fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for (path, text) in [("a2lint.toml", "")].iter().chain(files) {
        let to = folder.path().join(path);
        fs::create_dir_all(to.parent().expect("a folder")).expect("folders");
        fs::write(to, text).expect("a file");
    }
    folder
}

/// Returns the unread parts and the unknown code of all kernels of a project.
fn gaps(folder: &Path) -> Vec<String> {
    let report = checked(folder);
    let mut found = Vec::new();
    for kernel in list(&report["kernels"]) {
        let not_read = list(&kernel["not_read"]).iter();
        found.extend(not_read.map(|it| it.as_str().unwrap_or_default().to_owned()));
        let unknown = list(&kernel["unknown"]).iter();
        found.extend(unknown.map(|it| text(it, "what").to_owned()));
    }
    found
}

const ENTRY: &str = "#include \"kernel_operator.h\"\n\
    extern \"C\" __global__ __aicore__ void add_two(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)\n{\n    \
    GET_TILING_DATA_WITH_STRUCT(AddTwoTilingData, data, tiling);\n    \
    AscendC::GlobalTensor<float> gm;\n    \
    gm.SetGlobalBuffer((__gm__ float *)x, data.total);\n    gm.SetValue(0, 1.0f);\n}\n";

fn macros(field: &str) -> String {
    format!(
        "namespace optiling {{\nconstexpr uint32_t MOST = 4;\nBEGIN_TILING_DATA_DEF(AddTwoTilingData)\n  \
         TILING_DATA_FIELD_DEF(uint32_t, {field});\n  TILING_DATA_FIELD_DEF_ARR(uint32_t, MOST, parts);\n\
         END_TILING_DATA_DEF;\n}}\n"
    )
}

#[test]
fn a_struct_of_the_host_is_the_nearest_one_for_this_device() {
    let (own, far) = (macros("total"), macros("rows"));
    let folder = project(&[
        ("norm/add_two/op_kernel/add_two.cpp", ENTRY),
        ("norm/add_two/op_host/add_two_tiling.h", &own),
        ("norm/add_two/op_host/arch35/add_two_tiling.h", &far),
        (
            "norm/add_two/tests/ut/add_two_tiling.h",
            "struct AddTwoTilingData { int rows; };",
        ),
        ("math/add_two/op_host/add_two_tiling.h", &far),
    ]);
    assert_eq!(gaps(folder.path()), [""; 0]);
}

#[test]
fn a_struct_that_is_defined_in_two_ways_is_not_known() {
    let (one, other) = (macros("total"), macros("rows"));
    let folder = project(&[
        ("add_two/op_kernel/add_two.cpp", ENTRY),
        ("add_two/op_host/one_tiling.h", &one),
        ("add_two/op_host/other_tiling.h", &other),
    ]);
    let said = gaps(folder.path());
    assert_eq!(
        said[0],
        "which `AddTwoTilingData` holds the tiling is not known: the project defines it in 2 ways"
    );
    assert_eq!(said[1], "`AddTwoTilingData` is not a type that is known");
}

#[test]
fn what_is_not_compiled_defines_nothing() {
    let (live, dead) = (macros("total"), macros("rows"));
    let said = |text: String| {
        let folder = project(&[
            ("add_two/op_kernel/add_two.cpp", ENTRY),
            ("add_two/op_host/add_two_tiling.h", &text),
        ]);
        gaps(folder.path())
    };
    for text in [
        format!("#if 0\n{dead}#else\n{live}#endif\n"),
        format!("#if 1\n{live}#else\n{dead}#endif\n"),
    ] {
        assert_eq!(said(text), [""; 0]);
    }
    let undecided = said(format!("#ifdef OLD\n{dead}#else\n{live}#endif\n"));
    assert_eq!(
        undecided[0],
        "which `AddTwoTilingData` holds the tiling is not known: the project defines it in 2 ways"
    );
}

#[test]
fn a_header_that_the_build_finds_is_searched_for() {
    let kernel = ENTRY.replace(
        "#include \"kernel_operator.h\"",
        "#include \"kernel_operator.h\"\n#include \"inc/sizes.h\"",
    );
    let sizes = "struct AddTwoTilingData { uint32_t total; };\n";
    let files = |other: &'static str| {
        project(&[
            ("ops/add_two/op_kernel/add_two.cpp", kernel.as_str()),
            ("shared/one/inc/sizes.h", sizes),
            ("shared/two/inc/sizes.h", other),
            (
                "shared/inc/kernel_operator.h",
                "#error \"a stand-in of the tests\"\n",
            ),
        ])
    };
    assert_eq!(gaps(files(sizes).path()), [""; 0]);
    let said = gaps(files("struct AddTwoTilingData { int x; };").path());
    assert_eq!(
        said[0],
        "which file `inc/sizes.h` is is not known: several of the project have that name"
    );
}

#[test]
fn a_kernel_includes_headers_of_kernels() {
    let kernel = ENTRY.replace(
        "#include \"kernel_operator.h\"",
        "#include \"kernel_operator.h\"\n#include \"sizes.h\"",
    );
    let sizes = "struct AddTwoTilingData { uint32_t total; };\n";
    let host = "#include <map>\ninline std::map<int, int> SIZES;\n";
    let files = |of_kernels: &'static str| {
        project(&[
            ("ops/add_two/op_kernel/add_two.cpp", kernel.as_str()),
            (of_kernels, sizes),
            ("ops/shared/op_host/sizes.h", host),
            ("host/sizes.h", host),
        ])
    };
    assert_eq!(gaps(files("ops/shared/op_kernel/sizes.h").path()), [""; 0]);
    let said = gaps(files("ops/shared/other/sizes.h").path());
    assert_eq!(
        said[0],
        "which file `sizes.h` is is not known: several of the project have that name"
    );
}

#[test]
fn members_that_are_structs_need_no_semicolon() {
    let kernel = ENTRY
        .replace("data.total", "data.product.M")
        .replace("#include", "#include \"lib/matmul_intf.h\"\n#include");
    let tiling = macros("total").replace(
        "END_TILING",
        "  TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, product)\n\
         TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, other);\nEND_TILING",
    );
    let folder = project(&[
        ("add_two/op_kernel/add_two.cpp", &kernel),
        ("add_two/op_host/add_two_tiling.h", &tiling),
    ]);
    assert_eq!(gaps(folder.path()), [""; 0]);
    let without = tiling.replace("TCubeTiling, product", "TCubeTiling, factor");
    let folder = project(&[
        ("add_two/op_kernel/add_two.cpp", &kernel),
        ("add_two/op_host/add_two_tiling.h", &without),
    ]);
    assert_eq!(
        gaps(folder.path()),
        ["`AddTwoTilingData` has no member `product`"]
    );
}

#[test]
fn template_arguments_are_those_that_the_operator_declares() {
    let kernel = "#include \"kernel_operator.h\"\n#include \"add_two_tiling_key.h\"\n\
        template <typename T, uint32_t MODE>\n\
        __global__ __aicore__ void add_two(GM_ADDR x)\n{\n    AscendC::GlobalTensor<T> gm;\n    \
        gm.SetGlobalBuffer((__gm__ T *)x, MODE);\n    gm.SetValue(0, static_cast<T>(1));\n}\n";
    let keys = "#define WIDE 2\nASCENDC_TPL_ARGS_DECL(AddTwo,\n    \
        ASCENDC_TPL_DATATYPE_DECL(T, C_DT_FLOAT, C_DT_FLOAT16),\n    \
        ASCENDC_TPL_UINT_DECL(MODE, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, 1, WIDE));\n\
        ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(T, C_DT_FLOAT),\n    \
        ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_LIST, 1, WIDE)));\n";
    let by_macro = keys.replace(
        "ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(T, C_DT_FLOAT),\n    \
         ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_LIST, 1, WIDE)));",
        "#define ROW(A, B) ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(T, A), \\\n    \
         ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_LIST, B))\n\
         ASCENDC_TPL_SEL(ROW(C_DT_FLOAT, 1), ROW(C_DT_FLOAT, WIDE));\n#undef ROW",
    );
    assert_ne!(by_macro, keys);
    for keys in [keys, &by_macro] {
        let folder = project(&[
            ("add_two/op_kernel/add_two.cpp", kernel),
            ("add_two/op_kernel/add_two_tiling_key.h", keys),
        ]);
        let report = checked(folder.path());
        let names: Vec<&str> = list(&report["kernels"])
            .iter()
            .map(|it| text(it, "name"))
            .collect();
        assert_eq!(names, ["add_two<float, 1>", "add_two<float, 2>"]);
        assert_eq!(gaps(folder.path()), [""; 0]);
    }
}

#[test]
fn an_operator_of_other_products_is_not_analysed() {
    let definition = |product: &str, file: &str| {
        format!(
            "class AddTwo : public OpDef {{\npublic:\n    explicit AddTwo(const char *name) : OpDef(name)\n    {{\n        \
             OpAICoreConfig own;\n        own.DynamicFormatFlag(true).ExtendCfgInfo(\"opFile.value\", \"{file}\");\n        \
             this->AICore().AddConfig(\"{product}\", own);\n    }}\n}};\nOP_ADD(AddTwo);\n"
        )
    };
    let reasons = |product: &str, file: &str| {
        let (definition, tiling) = (definition(product, file), macros("total"));
        let folder = project(&[
            ("add_two/op_kernel/add_two.cpp", ENTRY),
            ("add_two/op_host/add_two_tiling.h", &tiling),
            ("add_two/op_host/add_two_def.cpp", &definition),
        ]);
        let report = checked(folder.path());
        let gaps = list(&report["other_products"]).iter();
        gaps.map(|it| text(it, "reason").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(reasons("ascend910b", "add_two"), [""; 0]);
    assert_eq!(
        reasons("ascend950", "add_two"),
        ["its operator is for `ascend950`"]
    );
    // The other file is for the other product, and this file is built for no product.
    assert_eq!(
        reasons("ascend950", "add_two_apt"),
        ["its operator is for `ascend950`"]
    );
}

#[test]
fn a_build_for_other_architectures_is_for_other_products() {
    let tiling = macros("total");
    let reasons = |build: &'static str| {
        let folder = project(&[
            ("add_two/op_kernel/add_two.cpp", ENTRY),
            ("add_two/op_host/add_two_tiling.h", &tiling),
            ("add_two/CMakeLists.txt", build),
        ]);
        let report = checked(folder.path());
        let gaps = list(&report["other_products"]).iter();
        gaps.map(|it| text(it, "reason").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        reasons("set(SUPPORTED_NPU_ARCHS dav-3510)\n"),
        ["its build is for `dav-3510`"]
    );
    assert_eq!(
        reasons("set(SUPPORTED_NPU_ARCHS dav-2201 dav-3510)\n"),
        [""; 0]
    );
    assert_eq!(reasons("add(--npu-arch=${NPU_ARCH})\n"), [""; 0]);
}

#[test]
fn build_files_turn_the_synchronisation_of_the_compiler_off() {
    let kernel = "#include \"kernel_operator.h\"\n\
        // a2lint: launch(block_dim=1, x=float[64])\n\
        extern \"C\" __global__ __aicore__ void twice(GM_ADDR x)\n{\n    AscendC::TPipe pipe;\n    \
        AscendC::TBuf<AscendC::TPosition::VECCALC> buf;\n    pipe.InitBuffer(buf, 256);\n    \
        AscendC::LocalTensor<float> t = buf.Get<float>();\n    \
        AscendC::Duplicate(t, 1.0f, 64);\n    AscendC::Adds(t, t, 1.0f, 64);\n    \
        AscendC::Muls(t, t, 2.0f, 64);\n}\n";
    let order = |flag: &'static str| {
        let folder = project(&[
            ("twice/op_kernel/twice.cpp", kernel),
            ("twice/CMakeLists.txt", flag),
        ]);
        let report = checked(folder.path());
        let verdicts = list(&report["kernels"][0]["verdicts"]).iter();
        let mut order = verdicts.filter(|it| text(it, "property") == "order");
        text(order.next().expect("a verdict"), "status").to_owned()
    };
    assert_eq!(order("# --cce-auto-sync=off\n"), "proved");
    assert_eq!(order("options(-O3 --cce-auto-sync=off)\n"), "refuted");
}

#[test]
fn instances_that_do_nothing_are_not_called_clean() {
    let kernel = "#include \"kernel_operator.h\"\n\
        extern \"C\" __global__ __aicore__ void add_two(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling)\n{\n    \
        if (TILING_KEY_IS(1)) {\n        AscendC::GlobalTensor<float> gm;\n        \
        gm.SetGlobalBuffer((__gm__ float *)x, 8);\n        gm.SetValue(0, 1.0f);\n    \
        } else if (TILING_KEY_IS(2)) {\n#if defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510\n        \
        AscendC::GlobalTensor<float> gm;\n        gm.SetValue(8, 1.0f);\n#endif\n    }\n}\n";
    let folder = project(&[("add_two/op_kernel/add_two.cpp", kernel)]);
    let report = checked(folder.path());
    let names = list(&report["kernels"]).iter().map(|it| text(it, "name"));
    assert_eq!(names.collect::<Vec<_>>(), ["add_two[TILING_KEY=1]"]);
    let gaps = list(&report["not_analysed"]).iter();
    let gaps: Vec<(&str, &str)> = gaps
        .map(|it| (text(it, "kernel"), text(it, "reason")))
        .collect();
    let reason = "it does nothing as `add_two[TILING_KEY=2]`: there is nothing to check";
    assert_eq!(gaps, [("add_two", reason)]);
}

#[test]
fn an_operator_without_a_mark_of_a_project_has_its_host_code() {
    let tiling = macros("total");
    let folder = project(&[
        ("add_two/op_kernel/add_two.cpp", ENTRY),
        ("add_two/op_host/add_two_tiling.h", &tiling),
        ("add_two/CMakeLists.txt", ""),
    ]);
    fs::remove_file(folder.path().join("a2lint.toml")).expect("the mark");
    assert_eq!(gaps(&folder.path().join("add_two/op_kernel")), [""; 0]);
}

/// Two versions of a kernel side by side, each with a program that starts it, are not started by each other's.
#[test]
fn a_file_with_a_kernel_of_its_own_starts_that_one() {
    let version = |size: u32| {
        format!(
            "#include \"kernel_operator.h\"\nusing namespace AscendC;\n\
             __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t tile)\n{{\n    \
             TPipe pipe;\n    TQue<TPosition::VECIN, 1> in;\n    TQue<TPosition::VECOUT, 1> out;\n    \
             pipe.InitBuffer(in, 1, {size} * sizeof(half));\n    pipe.InitBuffer(out, 1, {size} * sizeof(half));\n    \
             GlobalTensor<half> gx, gy;\n    gx.SetGlobalBuffer((__gm__ half*)x);\n    \
             gy.SetGlobalBuffer((__gm__ half*)y);\n    auto a = in.AllocTensor<half>();\n    \
             DataCopy(a, gx, tile);\n    in.EnQue(a);\n    a = in.DeQue<half>();\n    \
             auto b = out.AllocTensor<half>();\n    Add(b, a, a, tile);\n    out.EnQue(b);\n    \
             in.FreeTensor(a);\n    b = out.DeQue<half>();\n    DataCopy(gy, b, tile);\n    \
             out.FreeTensor(b);\n}}\n\
             int main()\n{{\n    const uint32_t n = {size};\n    uint8_t *x, *y;\n    \
             aclrtMalloc((void**)&x, n * sizeof(half), ACL_MEM_MALLOC_HUGE_FIRST);\n    \
             aclrtMalloc((void**)&y, n * sizeof(half), ACL_MEM_MALLOC_HUGE_FIRST);\n    \
             twice<<<1, nullptr, nullptr>>>(x, y, n);\n}}\n"
        )
    };
    let (small, large) = (version(256), version(1024));
    let folder = project(&[("v1.cpp", &large), ("v2.cpp", &small)]);
    let report = checked(folder.path());
    assert_eq!(list(&report["findings"]).len(), 0, "{report:#}");
}
