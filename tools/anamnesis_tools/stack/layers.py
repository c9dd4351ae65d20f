"""Build the Lambda layers for this machine out of what `make install` installed.

`sam build` downloads the pinned wheels for Lambda's platform. The local stack needs the same versions for the host's
Python, and they are installed already, with their hashes checked: their files are linked into the build folder, which
takes a second and no network. The layers that are uploaded then hold one line each, which puts that folder in front of
``sys.path``, because the emulator would otherwise unpack 230 MB, and compile them, anew for every worker it starts.
"""

from __future__ import annotations

import compileall
import hashlib
import importlib.metadata
import io
import json
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

from anamnesis_tools.stack.errors import LayersOutdated
from anamnesis_tools.stack.places import BUILD, CHECKOUT
from anamnesis_tools.stack.prune import prune

#: Layer folder below layers/ → the pins it is built from.
WHEEL_LAYERS = {
    "dependencies": CHECKOUT / "requirements" / "lambda.txt",
    "embedder": CHECKOUT / "requirements" / "embedder.txt",
    "mcp": CHECKOUT / "requirements" / "mcp.txt",
}
_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


def pinned(requirements: str) -> dict[str, str]:
    """Names and versions that a pins file holds."""
    return dict(_PIN.findall(requirements))


def build_wheel_layer(name: str) -> Path:
    """Build one layer of third-party packages, or find it built.

    Parameters
    ----------
    name
        A key of `WHEEL_LAYERS`.

    Returns
    -------
    pathlib.Path
        The layer's python folder.

    Raises
    ------
    LayersOutdated
        If an installed package is missing or has another version than its pin.
    """
    pins = WHEEL_LAYERS[name].read_text(encoding="utf-8")
    patterns = (CHECKOUT / "layers" / name / "prune.txt").read_text(encoding="utf-8")
    recipe = json.dumps([pins, patterns, sys.version, sys.prefix])
    built = BUILD / "layers" / f"{name}-{hashlib.sha256(recipe.encode()).hexdigest()[:16]}"
    if not built.exists():
        partial = built.with_name(f"{built.name}.{os.getpid()}")
        shutil.rmtree(partial, ignore_errors=True)
        for package, version in pinned(pins).items():
            _link_package(package, version, partial / "python")
        prune(partial / "python", patterns)
        _move_into_place(partial, built)
    return built / "python"


def build_source_layer() -> Path:
    """Build the layer of our own package, compiled, or find it built; returns its python folder."""
    sources = source_archive(CHECKOUT / "shared" / "anamnesis")
    recipe = sources + sys.version.encode()
    built = BUILD / "layers" / f"shared-{hashlib.sha256(recipe).hexdigest()[:16]}"
    if not built.exists():
        partial = built.with_name(f"{built.name}.{os.getpid()}")
        shutil.rmtree(partial, ignore_errors=True)
        with zipfile.ZipFile(io.BytesIO(sources)) as archive:
            archive.extractall(partial / "python" / "anamnesis")
        compileall.compile_dir(partial, quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
        _move_into_place(partial, built)
    return built / "python"


def _link_package(package: str, version: str, target: Path) -> None:
    """Link the installed files of one package below `target`."""
    try:
        distribution = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError as missing:
        raise LayersOutdated(f"{package}=={version} is not installed: run `make install`.") from missing
    if distribution.version != version:
        raise LayersOutdated(f"{package} is {distribution.version}, pinned is {version}: run `make install`.")
    for file in set(distribution.files or ()):
        source = Path(str(distribution.locate_file(file)))
        if ".." in file.parts or not source.is_file():
            continue
        destination = target / file
        destination.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, destination)
        except OSError:
            shutil.copy2(source, destination)


def _move_into_place(partial: Path, built: Path) -> None:
    """Rename a finished build; another process that was faster has built the same."""
    try:
        partial.rename(built)
    except OSError:
        if not built.exists():
            raise
        shutil.rmtree(partial)


def link_archive(python_folder: Path) -> bytes:
    """Zip of a layer that only points to `python_folder` (a ``.pth`` line, run when a worker starts)."""
    line = f"import sys; sys.path.insert(0, {str(python_folder)!r})\n"
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return _zip({f"python/lib/{version}/site-packages/layer.pth": line.encode()})


def source_archive(folder: Path) -> bytes:
    """Zip of our own sources below `folder`, without caches; equal sources give equal bytes."""
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }
    return _zip(files)


def _zip(files: dict[str, bytes]) -> bytes:
    """Zip with fixed times, so that its hash tells whether anything changed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _ZIP_EPOCH), content)
    return buffer.getvalue()
