"""Runs the commands that a tool's --help gives as examples, in a directory that
looks like the root of the repository.

    examples.py source-root scratch tool...
"""

import pathlib
import shutil
import subprocess
import sys

source, scratch = map(pathlib.Path, sys.argv[1:3])
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
(scratch / "examples").symlink_to(source.resolve() / "examples")
for tool in sys.argv[3:]:
    usage = subprocess.run([tool, "--help"], capture_output=True, text=True).stdout
    assert usage.count("EXAMPLES:") == 1, tool
    commands = [
        line.strip()
        for line in usage.split("EXAMPLES:")[1].splitlines()
        if line.startswith("  ")
    ]
    assert any(tool in command for command in commands), (tool, commands)
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", "set -eo pipefail; " + command],
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            sys.exit(f"{tool}: {command}: exit code {done.returncode}\n{done.stderr}")
    print(tool, len(commands), "examples")
