"""The OCI image, made without a daemon (OCI image format 1.1): a tar of its layout.

The lower layer holds glibc and certificates from two packages of Debian, whose checksums
packages.txt has, and a user; the upper one graphflow. There is no shell.
"""

import hashlib
import io
import json
import lzma
import os
import posixpath
import re
import tarfile
import time
import urllib.parse
import urllib.request

from release import ARCHITECTURE, SUMMARY, VERSION, Unavailable, archive, compressed, read

USER = 65532
STATE = "var/lib/graphflow"
CERTIFICATES = "usr/share/ca-certificates/mozilla/"
TYPE = "application/vnd.oci.image."
# Where runs are kept may be shared by users that `--user` chooses: what is in it may not.
FOLDERS = [("dev", 0o755, 0), ("home/graphflow", 0o700, USER), ("proc", 0o555, 0), ("sys", 0o555, 0),
           ("tmp", 0o1777, 0), (STATE, 0o1777, USER), ("work", 0o755, USER)]
ACCOUNTS = {
    "etc/passwd": "root:x:0:0:root:/:/sbin/nologin\n"
    f"graphflow:x:{USER}:{USER}:graphflow:/home/graphflow:/sbin/nologin\n",
    "etc/group": f"root:x:0:\ngraphflow:x:{USER}:\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n"}


def downloaded(path, digest, snapshot):
    """A file of Debian, from the cache, the archive, or the archive as it was."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    kept = os.path.join(cache, "graphflow", "image", digest)
    area, _, rest = path.partition("/")
    addresses = ["http://deb.debian.org/" + urllib.parse.quote(path),
                 f"https://snapshot.debian.org/archive/{area}/{snapshot}/{urllib.parse.quote(rest)}"]
    for address in ["file://" + kept, *addresses]:
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                content = answer.read()
        except OSError:
            continue
        if hashlib.sha256(content).hexdigest() == digest:
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            with open(kept + f".{os.getpid()}", "wb") as file:
                file.write(content)
            os.rename(file.name, kept)
            return content
    raise Unavailable(f"{path} of Debian, with the SHA-256 {digest}")


def unpacked(package):
    """The two archives in a Debian package (deb(5)): its description, its files."""
    offset, members = 8, {}
    while offset + 60 <= len(package):
        name, size = package[offset:offset + 16].decode().strip(), int(package[offset + 48:offset + 58])
        members[name.rstrip("/")] = package[offset + 60:offset + 60 + size]
        offset += 60 + size + size % 2
    return [tarfile.open(fileobj=io.BytesIO(lzma.decompress(members[name])))
            for name in ("control.tar.xz", "data.tar.xz")]


def system():
    """The files of Debian's packages that the command needs."""
    lines = [line.split() for line in read("packaging/image/packages.txt").decode().splitlines()
             if not line.startswith("#")]
    snapshot = next(words[1] for words in lines if words[0] == "snapshot")
    files, certificates = {}, {}
    for _, digest, path in (words for words in lines if words[0] in (ARCHITECTURE, "all")):
        control, data = unpacked(downloaded(path, digest, snapshot))
        entries = {posixpath.normpath(entry.name): entry for entry in data.getmembers()}
        for path, entry in entries.items():
            if entry.issym() and re.search(r"/ld-linux[^/]*$", path):
                entry = entries[posixpath.join(posixpath.dirname(path), entry.linkname).lstrip("/")]
            if not entry.isfile():
                continue
            if path.startswith(CERTIFICATES):
                certificates[path] = data.extractfile(entry).read()
            elif re.search(r"/(ld-linux[^/]*|libc\.so\.6|libm\.so\.6|copyright)$", path):
                files[path] = (data.extractfile(entry).read(), entry.mode & 0o755)
        # Scanners find here which packages, in which versions, are in the image.
        description = control.extractfile("./control").read()
        name = re.search(rb"^Package: (.+)$", description, re.MULTILINE).group(1).decode()
        files[f"var/lib/dpkg/status.d/{name}"] = (description, 0o644)
    if len(certificates) < 50 or not any("ld-linux" in path for path in files):
        raise SystemExit("packaging/image: the packages of Debian do not hold what they used to hold")
    bundle = b"".join(content.rstrip() + b"\n" for _, content in sorted(certificates.items()))
    files["etc/ssl/certs/ca-certificates.crt"] = (bundle, 0o644)
    files["etc/os-release"] = (b'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian 12, in part"\n', 0o644)
    return files | {path: (text.encode(), 0o644) for path, text in ACCOUNTS.items()}


def with_parents(files, folders):
    """The folders, and those that the files are in."""
    known = {path for path, _, _ in folders}
    parents = {posixpath.dirname(path) for path in [*files, *known]}
    while parents:
        known |= parents - {""}
        parents = {posixpath.dirname(path) for path in parents} - {""}
    own = {path: (mode, owner) for path, mode, owner in folders}
    return [(path, *own.get(path, (0o755, 0))) for path in sorted(known)]


def build(contents, moment, home):
    """The image of a binary that needs glibc alone, with what the tarball holds."""
    places = {"bin/graphflow": "usr/bin/graphflow", "LICENSE": "usr/share/doc/graphflow/LICENSE",
              "NOTICES.txt": "usr/share/doc/graphflow/NOTICES.txt"}
    upper = {places[path]: file for path, file in contents.items() if path in places}
    upper |= {"usr/share/graphflow/" + path: file for path, file in contents.items()
              if path.startswith(("schemas/", "workflows/"))}
    blobs = {}

    def blob(content, media_type, **more):
        digest = hashlib.sha256(content).hexdigest()
        blobs["blobs/sha256/" + digest] = (content, 0o644)
        return {"mediaType": TYPE + media_type, "digest": "sha256:" + digest, "size": len(content),
                **more}

    def described(value, media_type, **more):
        return blob(json.dumps(value, sort_keys=True).encode(), media_type, **more)

    layers, digests = [], []
    for files, folders in ((system(), FOLDERS), (upper, [])):
        raw = archive(files, moment, with_parents(files, folders))
        digests.append("sha256:" + hashlib.sha256(raw).hexdigest())
        layers.append(blob(compressed(raw, moment), "layer.v1.tar+gzip"))
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))
    labels = {"title": "graphflow", "description": SUMMARY, "version": VERSION, "created": created,
              "licenses": "Apache-2.0", **({"source": home} if home else {})}
    labels = {"org.opencontainers.image." + name: value for name, value in labels.items()}
    platform = {"os": "linux", "architecture": ARCHITECTURE}
    config = described({
        **platform, "created": created,
        "config": {
            "User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/graphflow"], "WorkingDir": "/work",
            "Env": ["PATH=/usr/bin", "HOME=/home/graphflow", "GRAPHFLOW_STATE_DIR=/" + STATE],
            "Volumes": {"/" + STATE: {}}, "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": digests},
        "history": [{"created": created, "created_by": "packaging/image", "comment": comment}
                    for comment in ("glibc, certificates, a user", "graphflow")]}, "config.v1+json")
    manifest = described({
        "schemaVersion": 2, "mediaType": TYPE + "manifest.v1+json", "config": config,
        "layers": layers, "annotations": labels}, "manifest.v1+json", platform=platform,
        annotations={"org.opencontainers.image.ref.name": f"graphflow:{VERSION}"})
    index = {"schemaVersion": 2, "mediaType": TYPE + "index.v1+json", "manifests": [manifest]}
    layout = {"oci-layout": (b'{"imageLayoutVersion": "1.0.0"}', 0o644),
              "index.json": (json.dumps(index, sort_keys=True).encode(), 0o644)}
    name = f"graphflow-{VERSION}-oci-linux-{ARCHITECTURE}.tar"
    return name, archive(layout | blobs, moment)
