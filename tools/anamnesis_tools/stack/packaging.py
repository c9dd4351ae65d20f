"""Package template.yaml as `sam package` does: upload what its local paths name, put addresses in their place."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

from anamnesis_tools.stack.errors import DeploymentFailed
from anamnesis_tools.stack.layers import (
    WHEEL_LAYERS,
    build_source_layer,
    build_wheel_layer,
    link_archive,
    source_archive,
)

_LOCAL_PATH = re.compile(r"^(?P<key>\s+(?:CodeUri|ContentUri)): (?P<path>\S+)$", re.MULTILINE)


def artifact(path: str, functions: Path) -> bytes:
    """Zip that a local path of the template stands for.

    Parameters
    ----------
    path
        Value of a ``CodeUri`` or ``ContentUri``.
    functions
        Folder that holds the handlers (``functions/`` of the checkout, except in the stack's own tests).

    Raises
    ------
    DeploymentFailed
        If nothing here knows how to build it.
    """
    if path == "functions/":
        return source_archive(functions)
    if path == "shared":
        return link_archive(build_source_layer())
    layer = path.removeprefix("layers/")
    if path.startswith("layers/") and layer in WHEEL_LAYERS:
        return link_archive(build_wheel_layer(layer))
    raise DeploymentFailed(f"template.yaml names {path}, and the local stack does not know how to build it.")


def package(template: str, functions: Path, upload: Callable[[str, bytes], str]) -> str:
    """Return the template with every local path replaced by the address of its uploaded zip.

    Parameters
    ----------
    template
        Text of template.yaml.
    functions
        Folder that holds the handlers.
    upload
        Stores a zip under a key and returns its ``s3://`` address. The key is the hash of the content, so that
        CloudFormation sees a change exactly when there is one.
    """
    addresses: dict[str, str] = {}

    def replace(match: re.Match[str]) -> str:
        path = match["path"]
        if path not in addresses:
            content = artifact(path, functions)
            addresses[path] = upload(f"{hashlib.sha256(content).hexdigest()}.zip", content)
        return f"{match['key']}: {addresses[path]}"

    return _LOCAL_PATH.sub(replace, template)
