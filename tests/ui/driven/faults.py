# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the system calls of a started program fail, from outside and while it runs; see tests/support/beckon-faults.h."""

import mmap
import pathlib
import struct

WRITE, SYNC, OPEN, CREATE, CHANGE, READ = (1 << bit for bit in range(6))
ANY_CHANGE = WRITE | OPEN | CREATE | CHANGE

# calls, error, skip, count, hits, where
LAYOUT = struct.Struct("=iiqqq224s")


class Faults:
    """A plan for the programs that get `variables` in their environment."""

    def __init__(self, module, folder):
        self.path = pathlib.Path(folder) / "faults"
        self.path.write_bytes(bytes(LAYOUT.size))
        # A path with a space would be two modules: it is found by its name.
        self.variables = {"LD_PRELOAD": pathlib.Path(module).name, "LD_LIBRARY_PATH": str(pathlib.Path(module).parent),
                          "BECKON_FAULTS": str(self.path)}
        with open(self.path, "r+b") as file:
            self.plan = mmap.mmap(file.fileno(), LAYOUT.size)

    def set(self, calls, error, where, skip=0, count=-1):
        """Lets calls on paths that contain `where` fail from now on."""
        self.plan[0:4] = bytes(4)
        self.plan[4:] = LAYOUT.pack(0, error, skip, count, 0, where.encode())[4:]
        self.plan[0:4] = struct.pack("=i", calls)

    def clear(self):
        self.plan[0:4] = bytes(4)

    @property
    def hits(self):
        return LAYOUT.unpack(self.plan[:])[4]
