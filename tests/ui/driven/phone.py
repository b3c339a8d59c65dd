# SPDX-License-Identifier: GPL-3.0-or-later
"""A phone, and the service behind it, for text channels: the suite's own emulators. `phone-emulator.c` says what it takes."""

import json
import re
import subprocess

import driver

TOKEN = "123456:Secret_Part-of-the-TOKEN"
CODE = re.compile(r"^[0-9A-Z]{8}$")


class Phone:
    """Use as a context: `with Phone(program, "telegram") as phone`."""

    def __init__(self, program, kind):
        self.process = subprocess.Popen([str(program), kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.process.stdin.close()
        assert self.process.wait(10) == 0

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def wait_sent(self, words):
        driver.wait(lambda: any(words in text for text in json.loads(self.say("sent"))), f"“{words}” on the phone")


def find_code(program):
    """The pairing code that a window shows."""
    return driver.wait(lambda: next((node.name for node in program.each(role="label", anew=True) if CODE.match(node.name)), None), "a code")


def add(home, kind, name, address):
    """Adds a channel in the terminal."""
    command = [home.installation.terminal, "channel", "add", kind, name, "--set", f"server={address}"]
    if kind == "telegram":
        command.append("--token-from-stdin")
    done = subprocess.run(command, env=home.environment, input=TOKEN + "\n", stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stderr
