#include "register/op_def_registry.h"

namespace ops {
class PickLines : public OpDef {
public:
    explicit PickLines(const char *name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("mark").ParamType(REQUIRED).DataTypeList({ge::DT_INT32}).FormatList({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        OpAICoreConfig core;
        core.DynamicCompileStaticFlag(true);
        this->AICore().AddConfig("ascend910b", core);
        // The configuration above keeps its types: each `AddConfig` copies the object.
        core.Input("x").DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        core.Output("y").DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->AICore().AddConfig("ascend310p", core);
    }
};
OP_ADD(PickLines);
} // namespace ops
