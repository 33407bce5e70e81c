"""The pages of the site, as hooks of mkdocs.

A page has the path of its file in the repository, so the links between the files work as they are.
README.md is the start page, and docs/README.md gives the order of the others. Whatever a page links
to is on the site, too: Markdown as a page, text as a page that shows it, a folder as a list of its
files. The schemas are where their `$id` says.
"""

import json
import os
import posixpath
import re
import sys

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
# pylint: disable=wrong-import-position
from release import output_of, read

TRACKED = output_of("git", "ls-files").split("\n")
PROJECT = {"Changelog": "CHANGELOG.md", "Security": "SECURITY.md",
           "Contributing": "CONTRIBUTING.md"}
LINK = re.compile(r"(\]\()([^)\s#]+)")
LANGUAGES = {".yaml": "yaml", ".json": "json", ".py": "python"}


def outside_of_code(change, text):
    """The text, with what is not in a fenced block changed."""
    return "".join(part if part.startswith("```") else change(part)
                   for part in re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE))


def page_of(path):
    """The page for a file or folder of the repository; itself if it is an image or Markdown."""
    if path in TRACKED:
        is_whole = path.endswith((".md", ".svg", ".png", ".gif"))
        return path if is_whole else path + ".md"
    return path + "/index.md" if any(file.startswith(path + "/") for file in TRACKED) else None


def content_of(page):
    """The Markdown of a page."""
    if page in TRACKED:
        return read(page).decode()
    path = page.removesuffix("/index.md").removesuffix(".md")
    # Last among what a search finds.
    head = f"---\nsearch: {{boost: 0.1}}\n---\n\n# {path}\n\n"
    if path in TRACKED:
        language = LANGUAGES.get(os.path.splitext(path)[1], "text")
        return head + f"```` {language}\n{read(path).decode()}````\n"
    names = [file.removeprefix(path + "/") for file in TRACKED if file.startswith(path + "/")]
    return head + "".join(f"- [{name}]({name})\n" for name in names)


def linked(page, text):
    """The Markdown of a page, with links to pages instead of files, and these pages."""
    found = set()

    def replaced(match):
        target = match[2]
        if re.match("[a-z]+:", target):
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        shown = page_of(path)
        if shown is None:
            return match[0]
        found.add(shown)
        return match[1] + posixpath.relpath(shown, posixpath.dirname(page) or ".")

    return outside_of_code(lambda part: LINK.sub(replaced, part), text), found


def navigation():
    """The shelves of docs/README.md."""
    shelves = [{"Start": "README.md"}]
    for part in read("docs/README.md").decode().split("\n## ")[1:]:
        listed = re.findall(r"^- \[([^]]+)\]\(([^)]+)\)", part, re.MULTILINE)
        shelves.append({part.partition("\n")[0]: [{title: "docs/" + path} for title, path in listed]})
    return shelves + [{"Project": [{title: path} for title, path in PROJECT.items()]}]


def on_files(files, config):
    pages, waiting = {}, ["README.md", "docs/README.md", *PROJECT.values(),
                          *(file for file in TRACKED if file.startswith("docs/"))]
    while waiting:
        page = waiting.pop()
        if page in pages:
            continue
        if not page.endswith(".md"):
            pages[page] = read(page)
            continue
        pages[page], found = linked(page, content_of(page))
        waiting += found
    for path in TRACKED:
        if path.startswith("schemas/"):
            content = read(path)
            address = json.loads(content)["$id"]
            if not address.startswith(config.site_url):
                raise PluginError(f"{path}: its $id is not below {config.site_url}")
            pages[address.removeprefix(config.site_url)] = content
    config.nav = navigation()
    # The files of the theme stay.
    kept = [file for file in files if file.src_dir != config.docs_dir]
    return Files(kept + [File.generated(config, path, content=content)
                         for path, content in sorted(pages.items())])


def on_page_markdown(markdown, **_):
    """In tables GitHub wants a pipe in code to be escaped; here it must not be."""
    def unescaped(row):
        return re.sub(r"`[^`]+`", lambda code: code[0].replace("\\|", "|"), row[0])
    return outside_of_code(
        lambda part: re.sub(r"^\|.*$", unescaped, part, flags=re.MULTILINE), markdown)
