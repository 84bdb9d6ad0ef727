"""Gives each option of each tool what it must refuse, before any work.

    options.py network.mlir model.onnx tool...

What options there are is read from --help, so that new ones are tried as well.
The work is shown not to have begun by an input that does not exist: the error must
be about the option. A tool is a name, or `fadiff-bench subcommand`.
"""

import re
import subprocess
import sys

network, model = sys.argv[1:3]
missing = "/no/such/directory/file"
counts = dict.fromkeys(["enumerations", "targets", "numbers", "outputs"], 0)
failures = []


def run(tool, *arguments):
    try:
        done = subprocess.run(
            tool.split() + list(arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=10,
        )
    except subprocess.TimeoutExpired:
        return None, "did the work"
    return done.returncode, done.stdout


def refuse(kind, tool, arguments, *wanted):
    """Fails unless the arguments are refused with all of `wanted`, which name
    what is wrong, and in three lines at most."""
    counts[kind] += 1
    code, text = run(tool, *arguments)
    lacking = [each for each in wanted if each not in text]
    if code not in (1, 2) or lacking or text.count("\n") > 3:
        failures.append(f"{tool} {' '.join(arguments)}: exit code {code}, "
                        f"lacks {lacking}: {text[:400]}")


for tool in sys.argv[3:]:
    _, usage = run(tool, "--help")
    # Of bench's subcommands, what stands before the general options.
    options = usage.split("EXAMPLES:")[0]
    lines = options.splitlines()
    # Where an input comes first, and what it is.
    inputs = []
    if "fadiff-bench" not in tool:
        inputs = [missing + (".onnx" if tool == "fadiff-onnx" else ".mlir")]
    if tool == "fadiff-diff":
        inputs = [missing + ".json"] * 2
    elif "<" in usage.split("\n\nOPTIONS")[0].split("USAGE:")[-1] and not inputs:
        inputs = [missing]
    owner = ""
    for number, line in enumerate(lines):
        head = re.match(r"( *)--?([A-Za-z][\w-]*)(?:=<([^>]*)>| <([^>]*)>)?", line)
        if not head:
            continue
        indent, name = len(head[1]), head[2]
        kind = head[3] or head[4] or ""
        isPassOption = indent >= 8 and tool == "fadiff-opt"
        if indent == 6 and tool == "fadiff-opt":
            owner = name
        if tool == "fadiff-opt" and not owner.startswith("fadiff-"):
            continue
        if tool == "fadiff-translate" and not name.startswith("fadiff-"):
            continue
        spell = (
            (lambda value: [f"--{owner}={name}={value}", network, "-o", "/dev/null"])
            if isPassOption
            else (lambda value: [f"--{name}={value}"] + inputs)
        )
        values = []
        for below in lines[number + 1 :]:
            value = re.match(r" +=(\S+)", below)
            if not value:
                break
            values.append(value[1])
        if values and values != ["true", "false"]:
            refuse("enumerations", tool, spell("nonsense"), "'nonsense'", *values)
        if isPassOption and name in ("cache", "machine", "output", "summary"):
            refuse("outputs", tool, spell(missing), f": {name}: ",
                   "/no/such/directory", "No such file or directory")
        if isPassOption and name != "target":
            continue
        if name == "target" and not values and kind in ("name|file", "string"):
            refuse("targets", tool, spell(""), "wanted a machine's name or a file")
            if "achines" in line:
                pass  # it takes several
            elif not isPassOption:
                refuse("targets", tool,
                       ["--target=tiny", "--target=gemmini"] + inputs,
                       "wanted one machine, found 2")
            else:
                refuse("targets", tool,
                       [f"--{owner}=target=tiny target=gemmini", network, "-o",
                        "/dev/null"], "wanted one machine, found a second")
        if kind in ("n", "uint", "ulong", "number", "seconds", "share", "level"):
            refuse("numbers", tool, spell("-1"), name)
            refuse("numbers", tool, spell("many"), name)
        if kind in ("file", "a.npy,b.pb", "a.html,b.json", "file.html") and (
            name in ("o", "report", "trace", "outputs", "quantize-report", "svg",
                     "markdown", "json", "cache")
        ):
            end = ".html" if name == "report" else ".npy" if name == "outputs" else ""
            value = missing + end
            extra = ["--quantize"] if name == "quantize-report" else []
            arguments = [f"--{name}={value}"] if name != "o" else ["-o", value]
            refuse("outputs", tool, arguments + extra + inputs,
                   "/no/such/directory", "No such file or directory")

# What MLIR's own drivers say of -o is theirs.
for tool in ("fadiff-opt", "fadiff-translate"):
    if tool in sys.argv:
        how = [] if tool == "fadiff-opt" else ["--fadiff-schedule-to-json"]
        refuse("outputs", tool, how + [network, "-o", missing], missing)
for kind, count in counts.items():
    print(f"{kind}: {count} refused")
if failures:
    sys.exit("\n".join(failures))
