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
TOOLS = {"check", "prove", "run", "explain", "fix", "cost"}


async def main(binary):
    server = StdioServerParameters(command=binary, args=["mcp"])
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert set(tools) == TOOLS, tools
        assert all(tool.description for tool in tools.values())

        async def ask(tool, **arguments):
            result = await session.call_tool(tool, arguments)
            failed = getattr(result, "is_error", None) or getattr(result, "isError", None)
            return bool(failed), result.content[0].text

        failed, text = await ask("check", path=str(BROKEN))
        assert not failed and "error dup-coverage" in text and len(text) <= 2000, text
        failed, text = await ask("check", path=str(BROKEN.parent), ignore=[])
        assert not failed and len(text.encode()) <= 2000 and "more bytes" in text and "not analysed" in text, text
        failed, text = await ask("run", path=str(BROKEN), bind={"M": 64})
        assert not failed and "dup-coverage" in text, text
        failed, text = await ask("cost", path=str(ROOT / "tests" / "kernels" / "layer_norm.py"), launch=2)
        assert not failed and "cycles" in text, text
        failed, text = await ask("prove", path=str(ROOT / "tests" / "kernels" / "layer_norm.py"))
        assert not failed and "layer_norm" in text, text
        failed, text = await ask("explain", rule="COV001")
        assert not failed and "dup-coverage" in text, text
        failed, text = await ask("fix", path=str(BROKEN), unsafe=True)
        assert not failed and "count=512" in text and "nothing was written" in text, text
        failed, text = await ask("explain", rule="no-such-rule")
        assert failed and "no rule" in text, text
        failed, text = await ask("check", path="/no/such/file.py")
        assert failed and "no such file" in text, text

        # A text that would leave a mark if anybody executed it.
        with tempfile.TemporaryDirectory() as folder:
            mark = Path(folder) / "executed"
            source = f"from easyasc.a2 import *\nopen({str(mark)!r}, 'w')\n__import__('os').system('touch {mark}')\n"
            source += BROKEN.read_text().split("from easyasc.a2 import *", 1)[1]
            for tool in ("check", "prove", "run", "fix", "cost"):
                await ask(tool, source=source)
            assert not mark.exists()
        print("6 tools answer")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
