"""A real OpenSearch node with the k-NN plugin on loopback, assembled from its published artifacts.

It needs a JDK of 17 or newer and Maven, and no Docker: `tools/opensearch/` holds the pom, the checksums of every file
that the pom resolves to, and the main class. The first assembling downloads 48 MB. The node runs on Lucene's graph,
which is what the semantic index uses; the plugin's native engines are not there.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
import zipfile
from pathlib import Path
from types import TracebackType
from typing import Self

from anamnesis_tools.stack.errors import StackError
from anamnesis_tools.stack.places import BUILD, CHECKOUT

RECIPE = CHECKOUT / "tools" / "opensearch"
#: How the tests and benchmarks are told of a node.
URL_VARIABLE = "ANAMNESIS_OPENSEARCH"
#: Heap of the node unless told otherwise; 100,000 vectors of 384 floats are indexed and searched in it.
HEAP = "512m"
#: A start takes 6 to 10 s on two idle cores.
_START_SECONDS = 180.0
_STOP_SECONDS = 30.0
_MAIN = "LoopbackNode"


class SearchNodeFailed(StackError):
    """No node could be assembled or started; the text says what is missing or what it wrote last."""


def assembled() -> Path | None:
    """Where the node's files are, if they were assembled by this recipe."""
    place = _place()
    return place if place.is_dir() and _jdk_tool("java") else None


def assemble() -> Path:
    """Return where the node's files are, after resolving, checking and compiling them if that was not done yet.

    Raises
    ------
    SearchNodeFailed
        If Maven or a JDK is missing, something cannot be downloaded, or a file is not the one that was pinned.
    """
    place = _place()
    if place.is_dir():
        return place
    maven, javac = shutil.which("mvn"), _jdk_tool("javac")
    if maven is None or javac is None:
        raise SearchNodeFailed(
            "An OpenSearch node is assembled with Maven (mvn) and a JDK (javac, 17 or newer)."
        )
    partial = place.with_name(f"{place.name}.{os.getpid()}")
    shutil.rmtree(partial, ignore_errors=True)
    libraries = partial / "lib"
    into = [f"-DoutputDirectory={libraries}", f"-Dproject.build.directory={partial / 'maven'}"]
    pom = str(RECIPE / "pom.xml")
    _run([maven, "--quiet", "--batch-mode", "--file", pom, "dependency:copy-dependencies", *into])
    _check(libraries)
    for plugin in libraries.glob("*.zip"):
        with zipfile.ZipFile(plugin) as archive:
            for name in archive.namelist():
                if name.endswith(".jar"):
                    (libraries / Path(name).name).write_bytes(archive.read(name))
    classes = partial / "classes"
    _run(
        [
            javac,
            "-nowarn",
            "-proc:none",
            "-d",
            str(classes),
            "-cp",
            f"{libraries}/*",
            str(RECIPE / f"{_MAIN}.java"),
        ]
    )
    try:
        partial.rename(place)
    except OSError:
        # Another process was faster.
        shutil.rmtree(partial)
    return place


class SearchNode:
    """A running node; it ends with the block, and by itself when this process ends.

    Parameters
    ----------
    heap
        Largest heap, as Java's ``-Xmx`` takes it.

    Attributes
    ----------
    url
        Where it answers.
    """

    def __init__(self, heap: str = HEAP) -> None:
        self._heap = heap
        self.url = ""

    def __enter__(self) -> Self:
        """Assemble if needed, start, and wait until it answers.

        Raises
        ------
        SearchNodeFailed
            If it cannot be assembled or does not start.
        """
        place = assemble()
        java = _jdk_tool("java") or "java"
        self._home = Path(tempfile.mkdtemp(prefix="anamnesis-opensearch-"))
        options = [
            f"-Xmx{self._heap}",
            "-XX:-UsePerfData",
            f"-Dlog4j2.configurationFile={RECIPE / 'log4j2.properties'}",
        ]
        written = self._home / "written.txt"
        with written.open("wb") as errors:
            self._process = subprocess.Popen(
                [
                    java,
                    *options,
                    "-cp",
                    f"{place / 'classes'}{os.pathsep}{place / 'lib'}/*",
                    _MAIN,
                    str(self._home),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        # A start that hangs is ended, which ends the wait for its first line.
        too_late = threading.Timer(_START_SECONDS, self._process.kill)
        too_late.start()
        try:
            self.url = self._process.stdout.readline().strip() if self._process.stdout else ""
        finally:
            too_late.cancel()
        if not self.url:
            last = written.read_text(encoding="utf-8", errors="replace")[-2_000:]
            self._end()
            raise SearchNodeFailed(f"The OpenSearch node did not start. It wrote last:\n{last}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop it and remove what it stored."""
        self._end()

    def wait(self) -> None:
        """Wait until it ends by itself."""
        self._process.wait()

    def _end(self) -> None:
        process = self._process
        try:
            # The end of standard input asks it to end.
            process.communicate(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        finally:
            shutil.rmtree(self._home, ignore_errors=True)


def _place() -> Path:
    recipe = hashlib.sha256()
    for file in sorted(RECIPE.iterdir()):
        recipe.update(file.name.encode() + b"\0" + file.read_bytes())
    return BUILD / f"opensearch-{recipe.hexdigest()[:16]}"


def _check(libraries: Path) -> None:
    """Hold what was resolved to `checksums.txt`, which names every file and no other."""
    lines = (RECIPE / "checksums.txt").read_text(encoding="utf-8").splitlines()
    pinned = {name: digest for digest, name in (line.split() for line in lines)}
    found = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in libraries.iterdir()}
    wrong = sorted(name for name in pinned.keys() | found.keys() if pinned.get(name) != found.get(name))
    if wrong:
        raise SearchNodeFailed(f"Not the files that tools/opensearch/checksums.txt names: {', '.join(wrong)}")


def _jdk_tool(name: str) -> str | None:
    """Path of one of the JDK's programs: of JAVA_HOME's if that is set, else the one on the path."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which(name, path=str(Path(home) / "bin")) if home else shutil.which(name)


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr)[-2_000:]
        raise SearchNodeFailed(f"{Path(command[0]).name} failed:\n{said}")
