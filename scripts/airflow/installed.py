"""The Python package of this clone, as if its wheel were installed."""

import importlib.machinery
import importlib.util
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def binary():
    """The graphflow under test: GRAPHFLOW_BINARY, else the build in .build."""
    path = os.environ.get("GRAPHFLOW_BINARY") or os.path.join(ROOT, ".build/debug/graphflow")
    if not os.access(path, os.X_OK):
        sys.exit(f"no graphflow at {path}; set GRAPHFLOW_BINARY")
    return os.path.abspath(path)


def package(folder):
    """Makes the package in a folder: what scripts/dist says of the wheel, and links to its files.

    Returns the variables with which Python and the PATH find it.
    """
    loader = importlib.machinery.SourceFileLoader("dist", os.path.join(ROOT, "scripts/dist"))
    spec = importlib.util.spec_from_loader("dist", loader)
    dist = importlib.util.module_from_spec(spec)
    loader.exec_module(dist)
    site, bin_folder = os.path.join(folder, "site"), os.path.join(folder, "bin")
    info = os.path.join(site, f"graphflow_cli-{dist.VERSION}.dist-info")
    for path in (info, bin_folder):
        os.makedirs(path)
    for name, content in dist.wheel_information(None).items():
        with open(os.path.join(info, name), "wb") as file:
            file.write(content)
    os.symlink(os.path.join(ROOT, "packaging/python/graphflow_cli"),
               os.path.join(site, "graphflow_cli"))
    os.symlink(binary(), os.path.join(bin_folder, "graphflow"))
    return {"PYTHONPATH": site, "PATH": f"{bin_folder}:{os.path.dirname(sys.executable)}:"
            + os.environ.get("PATH", "/usr/bin:/bin"), "PYTHONDONTWRITEBYTECODE": "1"}
