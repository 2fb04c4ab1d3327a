"""Repairs a broken kernel with the tools of `a2lint mcp`: check, look at the fix, apply it, check again.

    pip install . mcp          # in a clone of a2lint
    python examples/agent_loop.py tests/kernels/broken/dup_narrow.py

An agent puts a model in the place of `repair`; here it applies what `fix` answers.
"""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ROUNDS = 3


async def ask(session, tool, **arguments):
    """The text that a tool answers with."""
    result = await session.call_tool(tool, arguments)
    text = result.content[0].text
    failed = getattr(result, "is_error", None) or getattr(result, "isError", None)
    if failed:
        raise SystemExit(f"{tool}: {text}")
    return text


async def repair(session, path):
    """Applies the fixes of a file; whether there were any."""
    diff = await ask(session, "fix", path=str(path), unsafe=True, max_bytes=64_000)
    edits = diff[: diff.rindex("\n", 0, diff.rindex("fixes; nothing was written")) + 1] if "@@" in diff else ""
    if not edits:
        return False
    print(edits)
    subprocess.run(["patch", "--silent", str(path)], input=edits, text=True, check=True)
    return True


async def main(original):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(original, folder))
        server = StdioServerParameters(command="a2lint", args=["mcp"])
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            await session.initialize()
            for _ in range(ROUNDS):
                answer = await ask(session, "check", path=str(path))
                print(answer)
                if " error " not in answer or not await repair(session, path):
                    break
            print(await ask(session, "run", path=str(path)))
        return " error " in answer


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1])))
