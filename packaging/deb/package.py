"""The Debian package, made with dpkg-deb."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time

from release import ARCHITECTURE, ROOT, SUMMARY, VERSION, Unavailable, compressed, output_of, read
from release import tracked

# Who builds packages for others says so, as for Debian's own tools; else nobody maintains it.
MAINTAINER = (f"{os.environ.get('DEBFULLNAME', 'graphflow')} "
              f"<{os.environ.get('DEBEMAIL', 'noreply@graphflow.invalid')}>")
# A version with a hyphen, 1.0.0-beta, comes before 1.0.0 (Debian Policy, 5.6.12).
DEBIAN_VERSION = VERSION.replace("-", "~") + "-1"
DESCRIPTION = f"""{SUMMARY.partition(":")[0]}
 graphflow checks workflow files before anything is sent, packs their requests
 into few batch calls, and does not repeat a write that may have happened. A
 journal lets interrupted runs continue. A sandbox is included.
"""


def place(path):
    """Where Debian puts a file of the tarball; None if it has no place for it."""
    name = os.path.basename(path)
    if path == "bin/graphflow":
        return "usr/bin/graphflow"
    if re.fullmatch(r".*\.[1-8]", name):
        return f"usr/share/man/man{name[-1]}/{name}.gz"
    if name == "_graphflow":
        return "usr/share/zsh/vendor-completions/_graphflow"
    if name == "graphflow.fish":
        return "usr/share/fish/vendor_completions.d/graphflow.fish"
    if name == "graphflow.bash" or "bash-completion" in path:
        return "usr/share/bash-completion/completions/graphflow"
    if path.startswith("schemas/"):
        return "usr/share/graphflow/" + path
    if path.startswith("workflows/"):
        return "usr/share/doc/graphflow/examples/" + path.removeprefix("workflows/")
    return {"NOTICES.txt": "usr/share/doc/graphflow/NOTICES.txt.gz",
            "README.md": "usr/share/doc/graphflow/README.md",
            "CHANGELOG.md": "usr/share/doc/graphflow/changelog.gz"}.get(path)


def copyright_file(components, home):
    """What is in the package, by copyright (DEP 5); the bill of materials knows what is linked."""
    text = f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: graphflow{f"{chr(10)}Source: {home}" if home else ""}
Comment: Below "linked" is what the command is linked with statically.

Files: *
Copyright: the authors of graphflow
License: Apache-2.0
"""
    for component in components:
        licence = component["licenses"][0]
        name = licence.get("expression", licence.get("license", {}).get("id"))
        text += f"""
Files: linked/{component["bom-ref"].replace("@", "-")}/*
Copyright: {component["copyright"]}
License: {name.replace(" WITH Swift-exception", " with Swift exception")}
"""
    return text + """
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.

License: CC0-1.0
 On Debian systems the text is in /usr/share/common-licenses/CC0-1.0.

License: MIT
 Permission is hereby granted, free of charge, to any person obtaining a copy
 of this software and associated documentation files (the "Software"), to deal
 in the Software without restriction, including without limitation the rights
 to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 copies of the Software, and to permit persons to whom the Software is
 furnished to do so, subject to the following conditions:
 .
 The above copyright notice and this permission notice shall be included in all
 copies or substantial portions of the Software.
 .
 THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 SOFTWARE.

License: Zlib
 This software is provided 'as-is', without any express or implied warranty.
 In no event will the authors be held liable for any damages arising from the
 use of this software.
 .
 Permission is granted to anyone to use this software for any purpose,
 including commercial applications, and to alter it and redistribute it freely,
 subject to the following restrictions:
 .
 1. The origin of this software must not be misrepresented; you must not claim
    that you wrote the original software. If you use this software in a
    product, an acknowledgment in the product documentation would be
    appreciated but is not required.
 2. Altered source versions must be plainly marked as such, and must not be
    misrepresented as being the original software.
 3. This notice may not be removed or altered from any source distribution.

License: Apache-2.0 with Swift exception
 On Debian systems the text of the licence is in
 /usr/share/common-licenses/Apache-2.0. As an exception, if you use this
 Software to compile your source code and portions of this Software are
 embedded into the binary product as a result, you may redistribute such
 product without providing attribution as would otherwise be required by
 Sections 4(a), 4(b) and 4(d) of the License.
"""


def write(folder, files):
    for path, (content, mode) in files.items():
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(content)
        os.chmod(target, mode)


def dependencies(binary):
    """The packages that hold the libraries of the binary, with versions."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, {"debian/control": (b"Source: graphflow\n\nPackage: graphflow\nArchitecture: any\n", 0o644)})
        # A warning says that the binary is not in the folder of its package.
        shown = output_of("dpkg-shlibdeps", "-O", os.path.abspath(binary), cwd=folder,
                          stderr=subprocess.DEVNULL)
    return shown.strip().removeprefix("shlibs:Depends=")


def build(binary, contents, components, moment, home):
    """The package of a binary that needs Debian's libraries, with what the tarball holds."""
    if not shutil.which("dpkg-deb") or not shutil.which("dpkg-shlibdeps"):
        raise Unavailable("dpkg-deb and dpkg-shlibdeps (Debian: apt install dpkg-dev)")
    os.umask(0o022)
    with open(binary, "rb") as file:
        contents = contents | {"bin/graphflow": (file.read(), 0o755)}
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(moment))
    change = (f"graphflow ({DEBIAN_VERSION}) unstable; urgency=medium\n\n"
              f"  * Release {VERSION}; changelog.gz says what is new.\n\n -- {MAINTAINER}  {date}\n")
    documents = "usr/share/doc/graphflow/"
    files = {
        documents + "copyright": (copyright_file(components, home).encode(), 0o644),
        documents + "changelog.Debian.gz": (compressed(change.encode(), moment), 0o644),
        "usr/share/lintian/overrides/graphflow": (read("packaging/deb/lintian-overrides"), 0o644),
        "etc/graphflow/config.yaml": (read("packaging/deb/config.yaml"), 0o644)}
    files |= {documents + path.removeprefix("docs/"): file
              for path, file in tracked("docs/guide", "docs/reference/*.md").items()}
    files |= {"usr/lib/systemd/system/" + os.path.basename(path): file
              for path, file in tracked("packaging/systemd").items()}
    for path, (content, mode) in contents.items():
        target = place(path)
        if target:
            content = compressed(content, moment) if target.endswith(".gz") else content
            files[target] = (content, mode)
    sums = "".join(f"{hashlib.md5(content).hexdigest()}  {path}\n"
                   for path, (content, _) in sorted(files.items()) if path.startswith("usr/"))
    size = sum(-(-len(content) // 1024) for content, _ in files.values())
    control = f"""Package: graphflow
Version: {DEBIAN_VERSION}
Architecture: {ARCHITECTURE}
Maintainer: {MAINTAINER}
Installed-Size: {size}
Depends: {dependencies(binary)}
Recommends: ca-certificates
Section: web
Priority: optional{f"{chr(10)}Homepage: {home}" if home else ""}
Description: {DESCRIPTION}"""
    files |= {"DEBIAN/control": (control.encode(), 0o644), "DEBIAN/md5sums": (sums.encode(), 0o644),
              "DEBIAN/conffiles": (b"/etc/graphflow/config.yaml\n", 0o644)}
    name = f"graphflow_{DEBIAN_VERSION}_{ARCHITECTURE}.deb"
    # One thread: with several, the bytes depend on their number.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment), "DPKG_DEB_THREADS_MAX": "1"}
    with tempfile.TemporaryDirectory() as folder:
        write(folder + "/root", files)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", folder + "/root",
                        f"{folder}/{name}"], check=True, env=environment, stdout=subprocess.DEVNULL)
        with open(f"{folder}/{name}", "rb") as file:
            return name, file.read()
