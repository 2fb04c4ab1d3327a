from typing import Any, Callable, List, Optional, Tuple

import numpy as np

version: str

class Checked:
    json: str
    text: str
    agent: str
    proofs: str
    complaints: List[str]

class File:
    def __new__(cls, path: str, source: Optional[str] = None) -> "File": ...
    def kernels(self) -> List[Tuple[str, int, List[tuple], List[str], List[str]]]: ...
    def launches(self, kernel: int) -> int: ...
    def not_analysed(self) -> List[Tuple[Optional[str], str]]: ...
    def run(
        self,
        kernel: int,
        scalars: List[Tuple[str, float]],
        floats: List[str],
        tensors: List[Tuple[str, Tuple[str, List[int], np.ndarray]]],
        shapes: List[Tuple[str, str, List[int]]],
        *,
        launch: Optional[str] = None,
        cores: Optional[int] = None,
        device: Optional[str] = None,
        dumps: List[str] = ...,
        max_instructions: Optional[int] = None,
        max_seconds: Optional[float] = None,
        max_memory: Optional[int] = None,
        progress: Optional[Callable[[int, int, int], Any]] = None,
    ) -> "Ran": ...

class Ran:
    end: str
    doubt: Optional[str]
    counts: Tuple[int, int, int]
    seconds: float
    def json(self) -> str: ...
    def text(self) -> str: ...
    def failure(self) -> str: ...
    def ending(self) -> str: ...
    def tensor(self, name: str) -> Tuple[str, List[int], np.ndarray, int]: ...
    def undefined(self, name: str) -> Tuple[List[int], np.ndarray]: ...
    def compare(
        self,
        name: str,
        expected: Tuple[str, List[int], np.ndarray],
        rtol: Optional[float],
        atol: Optional[float],
    ) -> bool: ...

class Tested:
    json: str
    text: str
    violated: bool
    untried: bool

class Compared:
    json: str
    text: str
    page: str
    as_good: bool

def compare(old: str, new: str, options: List[str]) -> Compared: ...
def test(target: str, options: List[str]) -> Tested: ...
def check(path: str, source: Optional[str], options: List[str]) -> Checked: ...
def explain(rule: str) -> Optional[str]: ...
def names(dialect: str) -> List[str]: ...
