"""The local stack as one object: emulator, deployment, tokens and clients."""

from __future__ import annotations

import contextlib
import fcntl
import json
import secrets
import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from anamnesis_tools.stack import deployment, tokens
from anamnesis_tools.stack.aws_clients import EmulatorClients, in_plain_words
from anamnesis_tools.stack.emulator import Emulator, environment_of, free_port, is_free
from anamnesis_tools.stack.errors import EmulatorFailed, NotRunning
from anamnesis_tools.stack.places import CHECKOUT, TEMPLATE
from anamnesis_tools.stack.saved_state import SAVED, Recovery, discard, recover

#: Parameters that are different here. Every function shares this machine's cores: a turn that gets none for three
#: seconds would be ended together with its warm worker, and the next one would start cold, on a busier machine still.
#: And the emulator has no sign-in pages: a token is pasted into the page, or comes in its address.
HERE = {"ReadBlockTimeoutSeconds": "15", "PageSignIn": "token"}


class LocalStack:
    """The real template.yaml on an AWS emulator on loopback.

    As a context manager it starts on entry, ends on exit, and ends with this process however that goes::

        with LocalStack(tmp_path) as stack:
            requests.get(f"{stack.api_url}/v1/health")

    Parameters
    ----------
    state_dir
        Folder that the stack owns: state, temporary files, log.
    port
        Where to listen; the port of the last time, or a free one, when None.
    persist
        Whether state survives a stop and a start. It is saved at a stop, after a deployment, and while the stack is in
        use at least once a minute, so that a killed emulator loses no more; `recovered` then says what happened.
    parameters
        Values for the template's parameters, over those of `HERE`. They are kept with the state: those that a later
        start does not name stay as they were.
    functions
        Folder that holds the handlers.
    environment
        More environment variables for the functions, such as the address of a fake model.
    """

    def __init__(
        self,
        state_dir: Path,
        port: int | None = None,
        persist: bool = False,
        *,
        parameters: Mapping[str, str] | None = None,
        functions: Path = CHECKOUT / "functions",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.state_dir = state_dir.resolve()
        self.outputs: dict[str, str] = {}
        #: What became of the state of an emulator that was killed, when this object has started its successor.
        self.recovered: Recovery | None = None
        self._port = port
        self._persist = persist
        self._parameters = dict(parameters or {})
        self._functions = functions
        self._environment = dict(environment or {})
        self._emulator: Emulator | None = None
        self._clients: EmulatorClients | None = None

    # ------------------------------------------------------------------ life
    def __enter__(self) -> Self:
        """Start, tied to this process."""
        self.start(tied=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()

    def start(self, *, tied: bool) -> None:
        """Start the emulator if it does not run, and deploy what template and sources say now.

        Parameters
        ----------
        tied
            Whether the emulator ends with this process.

        Raises
        ------
        EmulatorFailed, DeploymentFailed, LayersOutdated
            With the reason; an emulator that was started here is stopped again, and leaves nothing of a first start.
        """
        with self._locked():
            started_here = not self._attach()
            if not started_here and self._port not in (None, self.emulator.port):
                raise EmulatorFailed(
                    f"The stack in {self.state_dir} runs on port {self.emulator.port} already."
                )
            if started_here:
                self._start_emulator(tied=tied)
            deployed_before = (self.state_dir / SAVED).exists()
            kept = self._kept_parameters() | self._parameters
            try:
                self.outputs = deployment.deploy(self.clients, TEMPLATE, self._functions, HERE | kept)
                self._remember(kept)
                self.emulator.save(self.state_dir)
            except BaseException:
                if started_here:
                    self.emulator.stop()
                    if not deployed_before:
                        discard(self.state_dir)
                raise

    def start_emulator(self, *, tied: bool) -> None:
        """Start the emulator alone, with nothing deployed on it."""
        with self._locked():
            self._start_emulator(tied=tied)

    def _start_emulator(self, *, tied: bool) -> None:
        remembered = self._remembered().get("port")
        port = self._port or (remembered if remembered and is_free(remembered) else free_port())
        shutil.rmtree(self.state_dir / "tmp", ignore_errors=True)
        if self._persist:
            self.recovered = recover(self.state_dir, datetime.now(UTC))
        settings = environment_of(self.state_dir, port, persist=self._persist) | self._environment
        self._emulator = Emulator.start(self.state_dir, port, settings, tied=tied)
        self._clients = EmulatorClients(self._emulator.endpoint_url)
        self._remember()

    def attach(self) -> Self:
        """Connect to the stack that runs in this state folder.

        Raises
        ------
        NotRunning
            If none does, or its deployment is not complete.
        """
        if not self._attach():
            raise NotRunning(f"No local stack runs in {self.state_dir}: start one with `anamnesis up`.")
        if not self.outputs:
            raise NotRunning(
                f"The stack in {self.state_dir} is not deployed yet: wait for `anamnesis up`, or call it."
            )
        return self

    def _attach(self) -> bool:
        remembered = self._remembered()
        if "pid" not in remembered:
            return False
        emulator = Emulator(remembered["pid"], remembered["known_as"], remembered["port"])
        if not emulator.is_running():
            return False
        self._emulator = emulator
        self._clients = EmulatorClients(emulator.endpoint_url)
        self.outputs = dict(remembered.get("outputs", {}))
        return True

    def stop(self) -> bool:
        """Stop the emulator after it has saved its state; say whether it was running and ended in order."""
        with self._locked():
            if self._emulator is None and not self._attach():
                return False
            ended = self.emulator.stop()
            shutil.rmtree(self.state_dir / "tmp", ignore_errors=True)
            return ended

    # ------------------------------------------------------------------ use
    @property
    def emulator(self) -> Emulator:
        """The running emulator."""
        if self._emulator is None:
            raise NotRunning("The local stack has not been started.")
        return self._emulator

    @property
    def clients(self) -> EmulatorClients:
        """Clients of the emulator."""
        if self._clients is None:
            raise NotRunning("The local stack has not been started.")
        return self._clients

    @property
    def endpoint_url(self) -> str:
        """Address of the emulated AWS services."""
        return self.emulator.endpoint_url

    @property
    def api_url(self) -> str:
        """Base URL of the HTTP API, without a slash at the end."""
        return deployment.api_url(self.endpoint_url, self.outputs)

    @property
    def page_url(self) -> str:
        """Address of the page to look at; the slash at its end is part of it."""
        return f"{self.api_url}/"

    def client(self, service: str) -> Any:
        """Return a boto3 client of an emulated service, with dummy credentials."""
        return self.clients.client(service)

    def token(self, tenant: str, student: str | None = None, role: str = "student") -> str:
        """Return a real ID token of the stack's user pool.

        Parameters
        ----------
        tenant, student
            Any text; a teacher or a service may have no student of its own.
        role
            ``student``, ``teacher`` or ``service``.
        """
        if role not in tokens.ROLES:
            raise ValueError(f"role is one of {', '.join(tokens.ROLES)}, not {role!r}")
        pool, app_client = self.outputs["UserPoolId"], self.outputs["UserPoolClientId"]
        with in_plain_words():
            return tokens.issue(
                self.client("cognito-idp"), pool, app_client, self._secret(), (tenant, student, role)
            )

    def describe(self) -> dict[str, Any]:
        """Say where everything is, for people and programs."""
        return {
            "api_url": self.api_url,
            "page_url": self.page_url,
            "console_url": f"{self.endpoint_url}/_ministack/health",
            "console_shows": "the emulator's health as JSON; it has no web console",
            **self._tutor(),
            "endpoint_url": self.endpoint_url,
            "pid": self.emulator.pid,
            "port": self.emulator.port,
            "state_dir": str(self.state_dir),
            "log": str(self.state_dir / "emulator.log"),
            "outputs": self.outputs,
        }

    def _tutor(self) -> dict[str, str | None]:
        """Who answers in a chat, in the words of `anamnesis up`."""
        kept = self._kept_parameters()
        kind, model = kept.get("Tutor", "none"), kept.get("TutorModel", "")
        return {"tutor": f"{kind}:{model}" if model else kind, "tutor_url": kept.get("TutorUrl") or None}

    # ------------------------------------------------------------------ memory of the state folder
    @property
    def _file(self) -> Path:
        return self.state_dir / "stack.json"

    def _remembered(self) -> dict[str, Any]:
        with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
            return dict(json.loads(self._file.read_text(encoding="utf-8")))
        return {}

    def _kept_parameters(self) -> dict[str, str]:
        """The template's parameters as they were deployed here, but for those of `HERE`."""
        return dict(self._remembered().get("parameters", {}))

    def _remember(self, parameters: Mapping[str, str] | None = None) -> None:
        """Write down what runs here; `parameters` when they were deployed just now."""
        emulator = self.emulator
        known = {
            "pid": emulator.pid,
            "known_as": emulator.known_as,
            "port": emulator.port,
            "outputs": self.outputs,
            "parameters": self._kept_parameters() if parameters is None else dict(parameters),
        }
        partial = self._file.with_suffix(".partial")
        partial.write_text(json.dumps(known, indent=1), encoding="utf-8")
        partial.replace(self._file)

    def _secret(self) -> bytes:
        """Return the secret that passwords derive from; made once per state folder, readable by its owner."""
        file = self.state_dir / "secret"
        if not file.exists():
            with self._locked():
                if not file.exists():
                    partial = file.with_suffix(".partial")
                    partial.touch(mode=0o600)
                    partial.write_bytes(secrets.token_bytes(32))
                    partial.replace(file)
        return file.read_bytes()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Let one process at a time start, stop or deploy in this state folder."""
        self.state_dir.mkdir(parents=True, exist_ok=True)
        with (self.state_dir / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
