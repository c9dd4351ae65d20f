"""A wiki as a folder: an ordinary clone made and kept up to date with git itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from anamnesis_tools.failures import CommandFailed

#: Where a clone keeps what the service has.
_REMOTE = "refs/remotes/origin/main"
#: The revision that the folder was last set to: what is committed on top of it is the folder's own.
_SET_TO = "refs/anamnesis/checkout"
#: Longest wait for one act of git, in seconds.
_TIMEOUT_SECONDS = 300


class CheckoutFailed(CommandFailed):
    """Git did not do it; the folder is as it was."""


@dataclass(frozen=True)
class Checkout:
    """What was done.

    Attributes
    ----------
    revision
        Of the folder now; None for a wiki that is empty.
    changed
        Paths that differ from before, in order.
    rewritten
        Whether the service's history was rewritten, as an erasure does; the old one is gone from the folder then.
    own_commits
        Whether the folder has commits of its own: then it was left as it is, and ``origin/main`` is up to date.
    """

    revision: str | None
    changed: tuple[str, ...]
    rewritten: bool = False
    own_commits: bool = False


class WikiFolder:
    """A folder that holds, or is to hold, a clone.

    Parameters
    ----------
    folder
        Missing, empty, or a clone of the same address.
    remote
        Address of the wiki as a remote of git.
    token
        Sent to that address alone: never on a command line, never kept in the folder.
    """

    def __init__(self, folder: Path, remote: str, token: str) -> None:
        self._folder = folder
        self._remote = remote
        at = urlsplit(remote)
        settings = {
            f"http.{at.scheme}://{at.netloc}/.extraHeader": f"Authorization: Bearer {token}",
            # A wiki too big for one answer comes from where its packs are stored, which takes no token.
            "fetch.uriProtocols": "https,http",
            "protocol.version": "2",
            "init.defaultBranch": "main",
            "core.quotePath": "false",
        }
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_COUNT": str(len(settings)),
            **{f"GIT_CONFIG_KEY_{n}": name for n, name in enumerate(settings)},
            **{f"GIT_CONFIG_VALUE_{n}": value for n, value in enumerate(settings.values())},
        }

    def update(self) -> Checkout:
        """Clone, or bring the clone up to date; what was changed in the folder stays, or nothing is done.

        Raises
        ------
        CheckoutFailed
            If the folder is something else, holds changes that an update would overwrite, or git fails.
        """
        if shutil.which("git") is None:
            raise CheckoutFailed("git is needed for this and is not installed.")
        if not self._folder.exists() or not any(self._folder.iterdir()):
            self._git("clone", "--quiet", self._remote, str(self._folder), inside=False)
            head = self._settled()
            listed = self._git("ls-tree", "-r", "-z", "--name-only", "HEAD") if head else ""
            return Checkout(head, tuple(sorted(filter(None, listed.split("\0")))))
        self._check_folder()
        return self._updated()

    def _check_folder(self) -> None:
        top = self._git("rev-parse", "--show-toplevel", check=False).strip()
        origin = self._git("config", "--get", "remote.origin.url", check=False).strip()
        if not top or Path(top).resolve() != self._folder.resolve() or origin != self._remote:
            raise CheckoutFailed(f"{self._folder} is no checkout of this wiki; name a new or empty folder.")

    def _updated(self) -> Checkout:
        known, here = self._commit(_SET_TO) or self._commit(_REMOTE), self._commit("HEAD")
        self._git("fetch", "--quiet", "origin", f"+refs/heads/main:{_REMOTE}", check=known is not None)
        there = self._commit(_REMOTE)
        if there is None:
            return Checkout(here, ())
        if here is not None and here != known:
            return Checkout(here, (), own_commits=True)
        if here is None:
            self._git("merge", "--quiet", "--ff-only", _REMOTE)
            self._settled()
            return Checkout(there, self._between(None, there))
        # Takes the new revision, keeps what was changed in other files, and does nothing where it would overwrite any.
        self._git("reset", "--quiet", "--keep", _REMOTE)
        self._settled()
        rewritten = not self._is_ancestor(here, there)
        changed = self._between(here, there)
        if rewritten:
            # What was erased is not to lie on in the folder's own store.
            self._git("reflog", "expire", "--expire=now", "--all")
            self._git("gc", "--quiet", "--prune=now")
        return Checkout(there, changed, rewritten=rewritten)

    def _settled(self) -> str | None:
        """Remember what the folder is set to now."""
        head = self._commit("HEAD")
        if head is not None:
            self._git("update-ref", _SET_TO, head)
        return head

    def _between(self, old: str | None, new: str) -> tuple[str, ...]:
        if old is None:
            listed = self._git("ls-tree", "-r", "-z", "--name-only", new)
        else:
            listed = self._git("diff", "-z", "--name-only", "--no-renames", old, new)
        return tuple(sorted(filter(None, listed.split("\0"))))

    def _commit(self, name: str) -> str | None:
        return (
            self._git("rev-parse", "--quiet", "--verify", f"{name}^{{commit}}", check=False).strip() or None
        )

    def _is_ancestor(self, old: str, new: str) -> bool:
        return self._git("merge-base", old, new, check=False).strip() == old

    def _git(self, *arguments: str, inside: bool = True, check: bool = True) -> str:
        try:
            done = subprocess.run(
                ["git", *arguments],
                cwd=self._folder if inside else None,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_TIMEOUT_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CheckoutFailed(f"git {arguments[0]}: {type(error).__name__}") from None
        if check and done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise CheckoutFailed(f"git {arguments[0]}: {' '.join(said[:3]) or 'failed'}")
        return done.stdout.decode("utf-8", "surrogateescape")
