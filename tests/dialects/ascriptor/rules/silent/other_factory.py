"""A factory that takes no device of ours makes no kernel that could be checked."""
#~ NOT-ANALYSED
import importlib


def make(device="a5"):
    if device != "a5":
        raise ValueError("unsupported")
    api = importlib.import_module("ascriptor." + device)

    @api.kernel(mode="vec", block_dim=1)
    def work(x: api.GM[api.f32, (128, 512)], y: api.GM[api.f32, (128, 512)]):
        tile = api.Tensor(api.f32, [128, 512], api.Position.UB)
        with api.auto_sync():
            tile <<= x
            y <<= tile
        return y

    return work
