"""Assembling an OpenSearch node: what is missing or not what was pinned is said before anything is started."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from anamnesis_tools.stack import search_node
from anamnesis_tools.stack.search_node import SearchNode, SearchNodeFailed


def program(folder: Path, name: str, script: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(stat.S_IRWXU)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole path, beside a build folder with nothing in it."""
    monkeypatch.setattr(search_node, "BUILD", tmp_path / "build")
    monkeypatch.setenv("PATH", str(tmp_path / "tools"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    return tmp_path / "tools"


def test_names_what_is_missing(tools: Path) -> None:
    """Without Maven or a JDK the person is told what is needed (SV-10)."""
    with pytest.raises(SearchNodeFailed, match=r"mvn.*javac"), SearchNode():
        pass
    assert search_node.assembled() is None


def test_refuses_files_that_are_not_the_pinned_ones(tools: Path) -> None:
    """A file that differs from its checksum, is missing or was never pinned is named, and nothing is run (SV-10)."""
    fake = 'for a; do case $a in -DoutputDirectory=*) f=${a#*=};; esac; done; /bin/mkdir -p "$f"; '
    program(tools, "mvn", fake + 'echo forged > "$f/opensearch-2.19.1.jar"; echo new > "$f/unheard-of.jar"')
    program(tools, "javac", "exit 1")
    with pytest.raises(SearchNodeFailed) as refused:
        search_node.assemble()
    for name in ("opensearch-2.19.1.jar", "unheard-of.jar", "lucene-core-9.12.1.jar"):
        assert name in str(refused.value)


def test_tells_why_a_download_failed(tools: Path) -> None:
    """What Maven says of an artifact that cannot be had is shown (SV-10)."""
    program(tools, "mvn", "echo no such artifact >&2; exit 1")
    program(tools, "javac", "exit 1")
    with pytest.raises(SearchNodeFailed, match="no such artifact"):
        search_node.assemble()
