"""`anamnesis verify` and `anamnesis prove`: hold a log to its chain and checkpoints, over the API or offline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer
from rich.console import Console
from rich.text import Text

from anamnesis_tools import plain_json
from anamnesis_tools.api_client import ApiClient
from anamnesis_tools.api_options import ApiOptions, over_the_api
from anamnesis_tools.day_to_day import print_json
from anamnesis_tools.proof_files import FileVerdict, checked, key_name_and_pem

console = Console()

#: Exit code of `verify` for what is not as it was recorded: none of a call that failed (1) or was wrong (2).
BROKEN = 4
#: Largest file of proofs read, in bytes: a million-character episode in escaped JSON is 12 MB. Ours.
MAX_FILE_BYTES = 64_000_000


@over_the_api
def verify(
    api: ApiOptions,
    subject: Annotated[str | None, typer.Argument(help="Subject whose log is verified over the API")] = None,
    proof: Annotated[
        Path | None,
        typer.Option(help="Check this file instead, written by `anamnesis prove`; needs no stack"),
    ] = None,
    public_key: Annotated[
        Path | None, typer.Option(help="The key to trust (PEM), not the one that came with the file")
    ] = None,
    origin: Annotated[
        str | None, typer.Option(help="With --proof: the log that it has to be about, anamnesis/log/…")
    ] = None,
) -> None:
    """Verify a log's chain and checkpoints, or a proof offline.

    Ends with code 4 when something is wrong, with 1 when it could not be verified.
    """
    if (subject is None) == (proof is None):
        raise typer.BadParameter("name a subject, or a file by --proof", param_hint="SUBJECT")
    if proof is not None:
        code = _verify_file(proof, public_key, origin, as_json=api.as_json)
    elif public_key is not None:
        raise typer.BadParameter("goes with --proof: the API knows its key", param_hint="--public-key")
    elif origin is not None:
        raise typer.BadParameter("goes with --proof: the API knows its logs", param_hint="--origin")
    else:
        code = _verify_log(api, str(subject))
    if code:
        raise typer.Exit(code)


@over_the_api
def prove(
    api: ApiOptions,
    subject: str,
    episode_id: Annotated[
        str | None, typer.Argument(help="Episode to prove; without it, all checkpoints are fetched")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File to write instead of standard output")] = None,
) -> None:
    """Fetch the proof of an episode, or a log's checkpoints, for `anamnesis verify --proof` to check anywhere."""
    caller = api.client("student")
    if episode_id is None:
        proved = _all_checkpoints(caller, subject)
    else:
        proved = caller.call("GET", caller.subject(subject, f"episodes/{quote(episode_id, safe='')}/proof"))
    text = json.dumps(proved, ensure_ascii=False, indent=2)
    if out is None:
        typer.echo(text)
        return
    try:
        out.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(f"{out}: {error.strerror or error}", param_hint="--out") from error
    if api.as_json:
        typer.echo(json.dumps({"written": str(out)}))
    else:
        console.print(f"Written: {out}", markup=False, soft_wrap=True)


def _all_checkpoints(caller: ApiClient, subject: str) -> dict[str, Any]:
    """Every page of checkpoints as one."""
    whole = caller.call("GET", caller.subject(subject, "chain/checkpoints"))
    while (after := whole["following"]) is not None:
        page = caller.call("GET", caller.subject(subject, "chain/checkpoints"), params={"after": after})
        whole["checkpoints"] += page["checkpoints"]
        whole["following"] = page["following"]
    return whole


def _verify_log(api: ApiOptions, subject: str) -> int:
    caller = api.client("student")
    chain = caller.call("GET", caller.subject(subject, "chain"))
    if api.as_json:
        print_json(chain)
    else:
        what = f"{chain['length']} episodes, {chain['checkpoints_checked']} checkpoints"
        _print_verdict("verified" if chain["verified"] else "BROKEN", what, chain)
    return 0 if chain["verified"] else BROKEN


def _verify_file(file: Path, key_file: Path | None, origin: str | None, *, as_json: bool) -> int:
    from anamnesis import offline

    try:
        document = plain_json.read(_bytes_of(file, "--proof"))
    except ValueError as error:
        raise typer.BadParameter(
            f"{file}: not JSON, or not of one meaning: {error}", param_hint="--proof"
        ) from None
    named = key_name_and_pem(document)
    if named is None:
        raise typer.BadParameter(f"{file}: no proof and no list of checkpoints", param_hint="--proof")
    name, pem = named
    try:
        key = offline.public_key(
            pem.encode() if key_file is None else _bytes_of(key_file, "--public-key"), name=name
        )
    except ValueError:
        where, hint = (file, "--proof") if key_file is None else (key_file, "--public-key")
        raise typer.BadParameter(f"{where}: no P-256 public key in PEM", param_hint=hint) from None
    verdict = checked(document, key, key_from_file=key_file is None, origin=origin)
    if as_json:
        print_json(verdict.document())
    else:
        said = "verified" if verdict.verified else "BROKEN" if verdict.breaks else "NOT VERIFIED"
        _print_verdict(said, _what(verdict), verdict.document(), trusts=key_file)
    return 0 if verdict.verified else BROKEN if verdict.breaks else 1


def _bytes_of(file: Path, option: str) -> bytes:
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise typer.BadParameter(f"{file}: {error.strerror or error}", param_hint=option) from error
    if len(data) > MAX_FILE_BYTES:
        raise typer.BadParameter(f"{file}: larger than {MAX_FILE_BYTES} bytes", param_hint=option)
    return data


def _what(verdict: FileVerdict) -> str:
    facts = verdict.facts
    if "checkpoint" not in facts:
        return "no proof" if verdict.about == "episode" else f"{facts.get('checkpoints', 'no')} checkpoints"
    checkpoint = facts["checkpoint"]
    signed = f"the log of {checkpoint['length']} that was signed as {checkpoint['origin']}"
    if verdict.about == "checkpoints":
        return f"{facts['checkpoints']} checkpoints, each grown out of the one before, up to {signed}"
    # What a broken file says of itself is anybody's text.
    episode, position, at = (plain_json.shown(facts[name]) for name in ("episode", "position", "recorded_at"))
    return f"episode {episode} at position {position}, recorded {at}, in {signed}"


def _print_verdict(said: str, what: str, document: dict[str, Any], *, trusts: Path | None = None) -> None:
    console.print(Text.assemble((said, "" if document["verified"] else "red"), f": {what}"), soft_wrap=True)
    for found in document["breaks"]:
        count = f" ({found['count']})" if found.get("count", 1) > 1 else ""
        console.print(Text(f"- position {found['position']}: {found['kind']}{count}"))
    if trusts is not None:
        console.print(Text(f"trusted key: {trusts}", "dim"), soft_wrap=True)
    for unchecked in document["not_checked"]:
        console.print(Text(f"not checked: {unchecked}", "dim"), soft_wrap=True)
