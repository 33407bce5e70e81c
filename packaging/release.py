"""What all packages of a release have in common."""

import gzip
import io
import os
import platform
import re
import subprocess
import tarfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUMMARY = "Declarative workflows for Meta's Graph API: checked, packed into few calls, safe to repeat"
MACHINE = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
# Debian's and Go's name of it; OCI takes Go's.
ARCHITECTURE = {"x86_64": "amd64", "aarch64": "arm64"}.get(MACHINE, MACHINE)


class Unavailable(Exception):
    """This machine lacks what a package is made with; the text says what."""


def read(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()


def output_of(*command, **options):
    options = {"cwd": ROOT, **options}
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def commit_time():
    """Seconds since 1970; SOURCE_DATE_EPOCH overrides the commit, as reproducible-builds.org asks."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or output_of("git", "log", "-1", "--format=%ct"))


VERSION = re.search(
    r'toolVersion = "([^"]+)"', read("Sources/GraphFlow/Workflow/Diagnostics/Version.swift").decode()
).group(1)


def tracked(*folders):
    """The files below these folders, by path: contents and mode."""
    return {path: (read(path), 0o644) for path in output_of("git", "ls-files", *folders).split()}


def archive(files, moment, folders=()):
    """A tar of files (path: contents and mode) and folders (path, mode, owner), all of one time."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, mode, owner in folders:
            entry = tarfile.TarInfo(path)
            entry.type, entry.mode, entry.uid, entry.gid = tarfile.DIRTYPE, mode, owner, owner
            entry.mtime = moment
            tar.addfile(entry)
        for path, (content, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode, entry.mtime = len(content), mode, moment
            entry.uname = entry.gname = "root"
            tar.addfile(entry, io.BytesIO(content))
    return raw.getvalue()


def compressed(content, moment):
    """As gzip, with this time and no name."""
    raw = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, raw, mtime=moment) as file:
        file.write(content)
    return raw.getvalue()
