"""The directory of a run: ours alone, begun whole or not at all, and continued only by what began it."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from tyrusd.host.deal_files import LARGEST as LARGEST_DEALS
from tyrusd.host.journal import JOURNAL, FileJournal
from tyrusd.host.ladder.files import read_plain, write_whole
from tyrusd.host.ladder.manifest import (
    Machine,
    Manifest,
    ManifestError,
    changes,
    manifest_of,
    read_manifest,
    write_manifest,
)
from tyrusd.host.ladder.plan import PLAN_FILE, LadderPlan
from tyrusd.host.ladder.plan_text import PlanError, read_plan, write_plan
from tyrusd.host.ladder.refusals import (
    CONTROL,
    LOCK_FILE,
    MANIFEST_FILE,
    Changed,
    DirectoryError,
    plan_changes,
    refuse_foreign,
    refuse_others,
)
from tyrusd.host.programs import NoProgram

__all__ = ["LOGS", "Changed", "DirectoryError", "RunDirectory", "look", "utc_now"]

LOGS: Final = "logs"
LARGEST_PLAN: Final = 2 * LARGEST_DEALS  # bytes; deals take a little more room there than in their file
LARGEST_MANIFEST: Final = 64 << 20


class RunDirectory:
    """A run's directory, locked for this process until it is closed.

    plan, manifest: those of the run. It is made by `begin` or `resume`, both of which raise DirectoryError.
    """

    def __init__(self, path: Path, lock: int, plan: LadderPlan, manifest: Manifest) -> None:
        self.path = path
        self.plan = plan
        self.manifest = manifest
        self._lock = lock

    @property
    def logs(self) -> Path:
        """Where the logs of its games are."""
        return self.path / LOGS

    @property
    def control(self) -> Path:
        """The socket that `tyrusd ladder-ctl` talks to while the run goes on."""
        return self.path / CONTROL

    @classmethod
    def begin(cls, path: Path, plan: LadderPlan) -> RunDirectory:
        """Make the directory of a new run, which must not hold anything yet; bots must exist."""
        directory = Path.cwd()
        text = write_plan(plan).encode()
        try:
            manifest = manifest_of(plan, sha256(text).hexdigest(), utc_now(), directory)
        except NoProgram as error:
            raise DirectoryError(str(error)) from error
        path = path.absolute()
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            refuse_others(path)
            lock = _locked(path)
        except OSError as error:
            raise DirectoryError(f"the directory {path} cannot be used: {error.strerror}") from error
        try:
            refuse_others(path)  # again: it is ours only now
            _sign(lock)
            path.chmod(0o700)
            # The plan comes last: a directory that has one is whole.
            (path / JOURNAL).unlink(missing_ok=True)
            write_whole(path / MANIFEST_FILE, write_manifest(manifest))
            FileJournal(path / JOURNAL).close()
            write_whole(path / PLAN_FILE, text)
        except OSError as error:
            os.close(lock)
            raise DirectoryError(f"the directory {path} cannot be written: {error.strerror}") from error
        except BaseException:
            os.close(lock)
            raise
        return cls(path, lock, plan, manifest)

    @classmethod
    def resume(cls, path: Path, wanted: LadderPlan | None = None) -> RunDirectory:
        """Take a run up again; raises Changed when anything differs that its games depend on.

        wanted: a plan that was given again, which must be that of the run. Nothing in the directory is
        touched when it is refused.
        """
        path = path.absolute()
        refuse_foreign(path)
        try:
            lock = _locked(path)
        except OSError as error:
            raise DirectoryError(f"the directory {path} cannot be used: {error.strerror}") from error
        try:
            plan, manifest = look(path)
            _refuse_changes(path, plan, manifest, wanted)
            if not (path / JOURNAL).is_file():
                raise DirectoryError(
                    f"{path / JOURNAL} is missing, so nobody knows what was played: restore it from a copy, "
                    "or begin a new run in another directory"
                )
            _sign(lock)
            path.chmod(0o700)
        except OSError as error:
            os.close(lock)
            raise DirectoryError(f"the directory {path} cannot be used: {error.strerror}") from error
        except BaseException:
            os.close(lock)
            raise
        return cls(path, lock, plan, manifest)

    def journal(self) -> FileJournal:
        """Open the journal; raises JournalError, and nothing is changed then."""
        return _RunJournal(self.path / JOURNAL)

    def note_machines(self, machines: list[Machine]) -> None:
        """Write the machines that the run has seen into the manifest; after an OSError it is as before."""
        if machines == self.manifest.machines:
            return
        manifest = replace(self.manifest, machines=machines)
        write_whole(self.path / MANIFEST_FILE, write_manifest(manifest))
        self.manifest = manifest

    def close(self) -> None:
        """Let others use the directory."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


class _RunJournal(FileJournal):
    """The journal of a run, which must have a name: what nobody can open again is not kept."""

    def sync(self) -> None:
        """Return when everything so far can be found again; OSError otherwise."""
        super().sync()
        if os.fstat(self._file).st_nlink == 0:
            raise OSError(errno.ENOENT, f"{self.path} was removed while the run goes on")


def look(path: Path) -> tuple[LadderPlan, Manifest]:
    """Read the plan and the manifest of a run's directory, which may be in use; raises DirectoryError."""
    refuse_foreign(path)
    try:
        plan = read_plan(read_plain(path / PLAN_FILE, LARGEST_PLAN))
        manifest = read_manifest(read_plain(path / MANIFEST_FILE, LARGEST_MANIFEST))
    except PlanError as error:
        raise DirectoryError(f"{path / PLAN_FILE}: {error}") from error
    except ManifestError as error:
        raise DirectoryError(f"{path / MANIFEST_FILE}: {error}") from error
    except OSError as error:
        raise DirectoryError(f"{error.filename} cannot be read: {error.strerror}") from error
    return plan, manifest


def utc_now() -> str:
    """The time of day as records have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _refuse_changes(path: Path, plan: LadderPlan, manifest: Manifest, wanted: LadderPlan | None) -> None:
    now_hash = sha256(read_plain(path / PLAN_FILE, LARGEST_PLAN)).hexdigest()
    try:
        # Relative paths are looked up where they were, so that only what has changed is told.
        now = manifest_of(plan, now_hash, manifest.began, Path(manifest.directory))
        now = replace(now, directory=str(Path.cwd()))
    except NoProgram as error:
        raise Changed(f"the ladder in {path} cannot be continued: {error}") from error
    found = list(changes(manifest, now))
    if wanted is not None:
        found += plan_changes(plan, wanted)
    if found:
        more = {1: "", 2: " (and one more difference)"}.get(len(found), f" (and {len(found) - 1} more)")
        raise Changed(
            f"the ladder in {path} cannot be continued: {found[0]}{more}. Restore what was, or begin a new "
            "run in another directory"
        )


def _locked(path: Path) -> int:
    """Lock the directory; raises DirectoryError when another process has it, OSError for other trouble."""
    lock = os.open(path / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(lock).st_mode):
            raise DirectoryError(f"{path / LOCK_FILE} is not a file: remove it")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(lock, 32, 0).decode("ascii", "replace").strip()
            raise DirectoryError(
                f"another tyrusd (process {owner if owner.isdigit() else 'unknown'}) plays the ladder in "
                f"{path}: wait for its end, or ask it with `tyrusd ladder-ctl {path} status`"
            ) from None
    except BaseException:
        os.close(lock)
        raise
    return lock


def _sign(lock: int) -> None:
    """Leave our number for whoever finds the directory locked."""
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode("ascii"), 0)
