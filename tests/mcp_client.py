"""`a2lint mcp` with the protocol's own client: python tests/mcp_client.py PATH-TO-A2LINT (needs the package `mcp`).

The client validates what it receives against its model of the protocol's schema.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).resolve().parent.parent
BROKEN = ROOT / "tests" / "kernels" / "broken" / "dup_narrow.py"
LAYER_NORM = ROOT / "tests" / "kernels" / "layer_norm.py"
ENDLESS = """
from easyasc.a2 import *


@kernel(mode="vec")
def endless(x: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    dup(tile, 0.0)
    for step in range(0, 1 << 30):
        adds(tile, tile, 1.0)
    x[0:8, 0:64] <<= tile
    return x
"""
TOOLS = {"check", "prove", "run", "test", "explain", "fix", "cost", "compare"}


async def main(binary):
    server = StdioServerParameters(command=binary, args=["mcp"])
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert set(tools) == TOOLS, tools
        assert all(tool.description for tool in tools.values())
        assert all(tool.inputSchema["required"] and tool.outputSchema for tool in tools.values())

        async def ask(tool, **arguments):
            result = await session.call_tool(tool, arguments)
            failed = getattr(result, "is_error", None) or getattr(result, "isError", None)
            structured = getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)
            if not failed:
                assert structured["text"] == result.content[0].text and structured["summary"], structured
            return bool(failed), result.content[0].text

        failed, text = await ask("check", path=str(BROKEN))
        assert not failed and "error dup-coverage" in text and len(text) <= 2000, text
        failed, text = await ask("check", path=str(BROKEN.parent), ignore=[])
        assert not failed and len(text.encode()) <= 2000 and text.count(" error ") == 7, text
        failed, text = await ask("run", path=str(BROKEN), bind={"M": 64})
        assert not failed and "dup-coverage" in text, text
        failed, text = await ask("cost", path=str(LAYER_NORM), launch=2)
        assert not failed and "cycles" in text, text
        failed, text = await ask("prove", path=str(LAYER_NORM))
        assert not failed and "layer_norm" in text, text
        failed, text = await ask("explain", rule="COV001")
        assert not failed and "dup-coverage" in text, text
        failed, text = await ask("fix", path=str(BROKEN), unsafe=True)
        assert not failed and "count=512" in text and "nothing was written" in text, text
        failed, text = await ask("explain", rule="no-such-rule")
        assert failed and "no rule" in text, text
        failed, text = await ask("check", path="/no/such/file.py")
        assert failed and "no such file" in text, text

        # Bounds: of an answer, of a text, of a run; and arguments that are none.
        _, short = await ask("prove", path=str(LAYER_NORM), max_bytes=300)
        _, long = await ask("prove", path=str(LAYER_NORM), max_bytes=1_000_000)
        assert len(short.encode()) <= 300 < len(long.encode()) <= 64_000, (short, long)
        failed, text = await ask("run", source=BROKEN.read_text() + "#" * (33 << 20))
        assert failed and "too large" in text, text
        failed, text = await ask("run", source=ENDLESS, shape={"x": [8, 64]}, dtype={"x": "float"})
        assert not failed and "stopped after" in text, text
        for tool, arguments in [
            ("check", {}),
            ("check", {"path": str(BROKEN), "select": "dup-coverage"}),
            ("run", {"path": str(BROKEN), "sauce": 1}),
            ("run", {"path": str(BROKEN), "launch": 0}),
            ("cost", {"path": str(BROKEN), "kernel": "nobody"}),
        ]:
            failed, text = await ask(tool, **arguments)
            assert failed and text, (tool, arguments, text)
        try:
            await session.call_tool("no-such-tool", {})
        except Exception as error:
            assert "no tool is called no-such-tool" in str(error), error
        else:
            raise AssertionError("a tool that does not exist answers")

        # A text, a file and what it imports, which would leave a mark if anybody executed them.
        with tempfile.TemporaryDirectory() as folder:
            mark, path = Path(folder) / "executed", Path(folder) / "kernel.py"
            trap = f"open({str(mark)!r}, 'w')\n__import__('os').system('touch {mark}')\n"
            source = f"from easyasc.a2 import *\nimport helper\n{trap}"
            source += BROKEN.read_text().split("from easyasc.a2 import *", 1)[1]
            path.write_text(source)
            (Path(folder) / "helper.py").write_text(trap)
            for tool in ("check", "prove", "run", "test", "fix", "cost"):
                await ask(tool, source=source)
                await ask(tool, path=str(path))
            assert not mark.exists()
        print("8 tools answer")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
