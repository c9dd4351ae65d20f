"""template.yaml as the resources that it stands for, and what its roles allow."""

from __future__ import annotations

import copy
import functools
from pathlib import Path
from typing import Any

import cfnlint.decode.cfn_yaml
import pytest
from samtranslator.translator.transform import transform

ROOT = Path(__file__).parents[2]
FUNCTIONS = (
    "Api",
    "ReadBlock",
    "StartAnswer",
    "WriteAnswer",
    "ReadFile",
    "IndexEpisodes",
    "StartNight",
    "RunNight",
    "CompileWiki",
    "WikiMcp",
    "Page",
)


class NoManagedPolicies:
    """What the transform asks for the names of AWS's own managed policies."""

    def load(self) -> dict[str, str]:
        return {}


@functools.cache
def written() -> dict[str, Any]:
    """The template as it is written, with packaged code instead of local paths."""
    template: dict[str, Any] = cfnlint.decode.cfn_yaml.load(str(ROOT / "template.yaml"))
    for resource in template["Resources"].values():
        for key in ("ContentUri", "CodeUri"):
            if key in resource.get("Properties", {}):
                resource["Properties"][key] = "s3://artifacts/zip"
    template["Globals"]["Function"]["CodeUri"] = "s3://artifacts/zip"
    return template


@functools.cache
def expanded() -> dict[str, Any]:
    """The CloudFormation resources that the template stands for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        return dict(transform(copy.deepcopy(written()), {}, NoManagedPolicies())["Resources"])


def of_type(resources: dict[str, Any], kind: str) -> dict[str, Any]:
    return {name: one["Properties"] for name, one in resources.items() if one["Type"] == kind}


def statements(resources: dict[str, Any], function: str) -> list[dict[str, Any]]:
    """Every inline statement of a function's role."""
    policies = resources[f"{function}FunctionRole"]["Properties"].get("Policies", [])
    documents = [policy["PolicyDocument"] for policy in policies if "PolicyDocument" in policy]
    return [statement for document in documents for statement in as_list(document["Statement"])]


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def allowed(resources: dict[str, Any], function: str, about: str) -> set[str]:
    """Actions that a function may take on resources whose text names `about`."""
    return {
        action
        for statement in statements(resources, function)
        if about in str(statement["Resource"])
        for action in as_list(statement["Action"])
    }
