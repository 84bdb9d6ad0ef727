#!/usr/bin/env python3
"""Counts the words of the reference, and finds long sentences and broken links.

    scripts/check_prose.py [--list]

A word is one of prose: code blocks, tables, equations and comments do not count.
The reference is what a user looks things up in: the pages of docs/ without the
tutorial, without pages that are generated from TableGen or from runs, without
results, and without the two rationales of the dialects. A sentence ends with a
full stop, a question or exclamation mark, or with its paragraph or list item.

Fails if there are more words than a reference of 25,000, or a sentence of over 40
words. Who adds to a page shortens it, or another one.
--list prints the sentences, and the words of each page.

Fails, too, if a link of any page leads to a file or a head that is not there, or if
code cites a head as `docs/Page.md, "Head"` that the page has not. And if a table of
docs/Results.md stands outside of the marks that scripts/results.py writes between.
"""

import pathlib
import re
import sys

import results

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CODE = ("include", "lib", "tools", "unittests", "test", "scripts")
MOST_WORDS, MOST_LONG_SENTENCES = 25000, 0
MOST_IN_SENTENCE = 40
NO_REFERENCE = {
    "Results.md", "Zoo.md", "OnnxOperators.md", "Nightly.md",
    "Dialects/Fadiff.md", "Dialects/Gemmini.md",
    "Dialects/Fadiff-Rationale.md", "Dialects/Gemmini-Rationale.md",
}  # fmt: skip


def prose(text):
    """Paragraphs and list items without what is no prose."""
    text = re.sub(r"<!--.*?-->|^```.*?^```$|\$\$.*?\$\$", "", text, flags=re.S | re.M)
    text = re.sub(r"^\s*\|.*$|^#.*$|^ {4,}\S.*$", "\n", text, flags=re.M)
    text = re.sub(r"^\s*(?:[-*]|\d+\.) ", "\n\n", text, flags=re.M)
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def sentences(paragraph):
    """Code and links' targets count as one word."""
    plain = re.sub(r"`[^`]*`", "`c`", paragraph)
    plain = re.sub(r"\]\([^)]*\)", "]", plain)
    return re.split(r"(?<=[.!?])[\"')]*\s+(?=[A-Z0-9`*(\[!])", plain)


def anchor(head):
    """As GitHub makes it of a head."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head).lower()
    return re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")


def without_code(page):
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.S | re.M)


def anchors(page):
    return {anchor(head) for head in re.findall(r"^#+ (.*)$", without_code(page), re.M)}


def broken():
    """A line for each link, or head that code cites, that leads nowhere."""
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
    for top in ("docs", "tools", "examples"):
        pages += sorted((ROOT / top).rglob("*.md"))
    for page in pages:
        for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page)):
            name, _, head = link.partition("#")
            target = page.parent / name if name else page
            if re.match(r"[a-z]+:", link):
                continue
            if not target.exists():
                yield f"{page.relative_to(ROOT)}: no file {name}"
            elif head and target.suffix == ".md" and head not in anchors(target):
                yield f"{page.relative_to(ROOT)}: no head for {link}"
    files = [f for top in CODE for f in (ROOT / top).rglob("*") if f.suffix in (".h", ".cpp", ".td", ".test", ".mlir")]
    for file in sorted(files):
        text = re.sub(r"\n\s*(//[/!]*)?\s*", " ", file.read_text(errors="replace"))
        for name, head in re.findall(r"docs/(\w+\.md)(?:, section| \(|,) \"([^\"]+)\"", text):
            if not (DOCS / name).exists() or anchor(head) not in anchors(DOCS / name):
                yield f"{file.relative_to(ROOT)}: docs/{name} has no head \"{head}\""


def main():
    words, long, tutorial = {}, [], 0
    for page in sorted(DOCS.rglob("*.md")):
        name = str(page.relative_to(DOCS))
        if name in NO_REFERENCE or name.startswith("Passes/"):
            continue
        paragraphs = prose(page.read_text())
        found = [
            (name, sentence)
            for paragraph in paragraphs
            for sentence in sentences(paragraph)
            if len(sentence.split()) > MOST_IN_SENTENCE
        ]
        if name.startswith("Tutorial/"):
            tutorial += len(found)
            continue
        words[name] = sum(len(paragraph.split()) for paragraph in paragraphs)
        long += found
    if "--list" in sys.argv:
        for name, sentence in long:
            print(f"{name}: {len(sentence.split())} words: {sentence}")
        for name, count in words.items():
            print(f"{count:6} {name}")
    leads = list(broken())
    leads += [f"docs/Results.md: a table that no section of scripts/results.py writes: {line}"
              for line in results.outside((DOCS / "Results.md").read_text())]
    total = sum(words.values())
    print(f"reference: {total} words, {len(long)} sentences of over "
          f"{MOST_IN_SENTENCE}; tutorial: {tutorial} such sentences")
    if leads:
        sys.exit("\n".join(leads))
    if total > MOST_WORDS:
        sys.exit(f"wanted at most {MOST_WORDS} words; shorten what you add to")
    if len(long) > MOST_LONG_SENTENCES or tutorial > 0:
        sys.exit(f"wanted at most {MOST_LONG_SENTENCES} long sentences, none in "
                 "the tutorial; cut those that --list names")


if __name__ == "__main__":
    main()
