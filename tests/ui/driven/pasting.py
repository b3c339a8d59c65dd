# SPDX-License-Identifier: GPL-3.0-or-later
"""Another program that has copied something, and pictures to copy."""

import pathlib
import struct
import subprocess
import zlib


def png(path, width=320, height=200):
    """A picture with a slope of colours, written by hand."""
    rows = b"".join(b"\0" + b"".join(bytes((x * 255 // width, y * 255 // height, 160)) for x in range(width))
                    for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    path = pathlib.Path(path)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return path


class Clipboard:
    """Use as a context: while it is open, the clipboard holds @path as @media_type."""

    def __init__(self, build, media_type, path):
        self.command = [str(pathlib.Path(build) / "tests/ui/driven/beckon-clipboard"), media_type, str(path)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "copied\n", "nothing was copied"
        return self

    def __exit__(self, *exception):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
