"""What orders the pipes."""
from contextlib import contextmanager

from easyasc.a2 import *


@contextmanager
def ordered():
    with auto_sync():
        yield
