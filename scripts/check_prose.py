#!/usr/bin/env python3
"""Counts the words of the reference, and finds sentences that are too long.

    scripts/check_prose.py [--list]

A word is one of prose: code blocks, tables, equations and comments do not count.
The reference is what a user looks things up in: the pages of docs/ without the
tutorial, without pages that are generated from TableGen or from runs, without
results, and without the two rationales of the dialects. A sentence ends with a
full stop, a question or exclamation mark, or with its paragraph or list item.

Fails if there are more words, or more sentences of over 40 words, than below:
what is there now. Who shortens pages lowers the numbers: the goal is 25,000 words.
--list prints the sentences, and the words of each page.
"""

import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
MOST_WORDS, MOST_LONG_SENTENCES = 36665, 0  # now: 36,663 and 0
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
    total = sum(words.values())
    print(f"reference: {total} words, {len(long)} sentences of over "
          f"{MOST_IN_SENTENCE}; tutorial: {tutorial} such sentences")
    if total > MOST_WORDS:
        sys.exit(f"wanted at most {MOST_WORDS} words; shorten what you add to")
    if len(long) > MOST_LONG_SENTENCES or tutorial > 0:
        sys.exit(f"wanted at most {MOST_LONG_SENTENCES} long sentences, none in "
                 "the tutorial; cut those that --list names")


if __name__ == "__main__":
    main()
