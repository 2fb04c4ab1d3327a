"""Builds the wheel: the package and, as a script, the binary of the command line.

maturin builds either; this builds the binary first and puts it where maturin takes scripts from. Both are
compiled from one lock file into one target folder, so that the library is compiled once.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import (  # noqa: F401
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_wheel,
)

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "python" / "a2lint.data" / "scripts"
# maturin asks for the folder before there is a binary to put into it.
SCRIPTS.mkdir(parents=True, exist_ok=True)


def _build_binary() -> None:
    # Both packages are named so that what they depend on has the same features as when the module is built:
    # the library would be compiled once more otherwise.
    command = ["cargo", "build", "--locked", "--package", "a2lint", "--package", "a2lint-python"]
    command += ["--bin", "a2lint", "--message-format", "json"]
    profile = os.environ.get("A2LINT_PROFILE", "release")
    command += ["--profile", profile]
    built = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    binary = _executable(built.stdout)
    shutil.rmtree(SCRIPTS.parent, ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    shutil.copy2(binary, SCRIPTS / Path(binary).name)


def _executable(messages: str) -> str:
    """The file that cargo says it has built."""
    for line in reversed(messages.splitlines()):
        message = json.loads(line)
        if message.get("reason") == "compiler-artifact" and message.get("executable"):
            return message["executable"]
    sys.exit("cargo has built no binary")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _build_binary()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _build_binary()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)
