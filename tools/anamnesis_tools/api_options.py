"""The options that every command over the HTTP API takes, declared once: whom to call, as whom, and how to print."""

from __future__ import annotations

import base64
import functools
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.stack.errors import NotRunning
from anamnesis_tools.stack.local_stack import LocalStack
from anamnesis_tools.stack.places import DEFAULT_STATE


@dataclass(frozen=True)
class ApiOptions:
    """What the common options say."""

    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs")] = False
    api_url: Annotated[
        str | None, typer.Option(envvar="ANAMNESIS_API_URL", help="API to call; default: the local stack")
    ] = None
    token: Annotated[
        str | None, typer.Option(envvar="ANAMNESIS_TOKEN", help="Token; default: one of the local stack")
    ] = None
    tenant: Annotated[str, typer.Option(envvar="ANAMNESIS_TENANT", help="Tenant on the local stack")] = "demo"
    student: Annotated[str, typer.Option(envvar="ANAMNESIS_STUDENT", help="Student to act as or for")] = "ana"
    state: Annotated[Path, typer.Option(help="State folder of the local stack")] = DEFAULT_STATE

    def client(self, role: str) -> ApiClient:
        """Return a client of the API named, or of the running local stack with a token made on the spot.

        Parameters
        ----------
        role
            Of the token that is made; one that is given speaks for itself.

        Raises
        ------
        NotRunning
            If the local stack is needed and does not run.
        typer.BadParameter
            If another API is named without a token for it.
        """
        if self.api_url and self.token:
            return self._client(self.api_url, self.token)
        try:
            stack = LocalStack(self.state).attach()
        except NotRunning:
            if self.api_url is None:
                raise
            raise self._no_token() from None
        if self.api_url and self.api_url.rstrip("/") != stack.api_url:
            raise self._no_token()
        return self._client(stack.api_url, self.token or stack.token(self.tenant, self.student, role))

    def _client(self, api_url: str, token: str) -> ApiClient:
        # Whoever is no student says whom the request is for; a student who names one is refused.
        student = self.student if groups(token) & {"teacher", "service"} else None
        return ApiClient(api_url.rstrip("/"), token, student=student)

    def _no_token(self) -> typer.BadParameter:
        return typer.BadParameter(f"{self.api_url} needs a token of its own", param_hint="--token")


def groups(token: str) -> frozenset[str]:
    """Return the groups that a token claims, unverified; none when it is no token at all, which the API will say."""
    try:
        encoded = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
        named = claims.get("cognito:groups", [])
    except (IndexError, ValueError, AttributeError):
        return frozenset()
    return frozenset(named.split() if isinstance(named, str) else map(str, named))


def over_the_api(act: Callable[..., None]) -> Callable[..., None]:
    """Make a command of a function whose first parameter is `ApiOptions`: its fields become the command's options."""
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    of_all, of_this = (get_type_hints(source, include_extras=True) for source in (ApiOptions, act))
    own = [
        parameter.replace(kind=keyword_only, annotation=of_this[parameter.name])
        for parameter in list(inspect.signature(act).parameters.values())[1:]
    ]
    common = [
        inspect.Parameter(field.name, keyword_only, default=field.default, annotation=of_all[field.name])
        for field in fields(ApiOptions)
    ]

    @functools.wraps(act)
    def command(**given: Any) -> None:
        options = ApiOptions(**{parameter.name: given.pop(parameter.name) for parameter in common})
        act(options, **given)

    # What Typer reads: it makes a command of any function by its signature and annotations.
    vars(command)["__signature__"] = inspect.Signature([*own, *common])
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *common]}
    return command
