"""A factory of several devices, whose default is another one."""
import importlib


def make(device="a5", spelling="methods"):
    if device not in ("a2", "a3", "a5") or spelling not in ("methods", "operators"):
        raise ValueError("unsupported")
    api = importlib.import_module("ascriptor." + device)

    @api.kernel(mode="vec", block_dim=1)
    def work(x: api.GM[api.f32, (128, 512)], y: api.GM[api.f32, (128, 512)]):
        tile = api.Tensor(api.f32, [128, 512], api.Position.UB)  #~ ERROR ub-overflow
        with api.auto_sync():
            if spelling == "methods":
                tile <<= x
            y <<= tile
        return y

    return work
