"""The `__main__` of every kernel of ours, unchanged, on the embedded machine: each compares itself with its
reference in torch."""

import importlib.util
import multiprocessing
import os
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2] / "tests"
FILES = [*TESTS.glob("kernels/*.py"), *TESTS.glob("dialects/*/kernels/**/*.py")]
SCRIPTS = sorted(path for path in FILES if "__main__" in path.read_text())

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="the scripts use torch")


@pytest.fixture(scope="module")
def processes():
    """Processes of their own, in which torch is imported already: that takes longer than most scripts."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch", "a2lint.exec"])
    return context


def execute(path, log):
    """`python -m a2lint.exec PATH`, with all that it says in a file."""
    import a2lint.exec

    for stream in (1, 2):
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    status = a2lint.exec.main([str(path)])
    sys.stdout.flush()
    sys.exit(status)


@needs_torch
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(TESTS)))
def test_script(path, processes, tmp_path):
    log = tmp_path / "log"
    process = processes.Process(target=execute, args=(path, log))
    process.start()
    process.join(120)
    process.kill()
    said = log.read_text()
    assert process.exitcode == 0, said
    launches = said.rsplit("a2lint: ", 1)[-1].split()
    assert int(launches[0]) >= 1, said


def test_there_are_scripts_of_both_dialects():
    assert len([path for path in SCRIPTS if "ascriptor" in path.parts]) >= 20
    assert len([path for path in SCRIPTS if "ascriptor" not in path.parts]) >= 20


def test_what_a_script_lacks_is_said_in_one_line(tmp_path, capsys):
    import a2lint.exec

    script = tmp_path / "script.py"
    script.write_text("import a_module_that_is_nowhere\n")
    assert a2lint.exec.main([str(script)]) == 1
    said = capsys.readouterr().err
    assert said == f"a2lint: {script}:1: a_module_that_is_nowhere is not installed, which the script imports\n"
