#!/usr/bin/env python3
"""Writes the manual pages: packaging/man.py BINARY FOLDER

FOLDER gets share/man/man1 with a page for each command, from what BINARY says of itself, and
share/man/man5 with a page for each kind of file, from docs/reference. The pages are mdoc(7). The
subset of Markdown is that of our documentation, so no library has to be there to install them.
"""

import html
import json
import os
import re
import sys
import textwrap
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from release import VERSION, commit_time, output_of, read

# Pages about files: what they describe, their page of the documentation, the section of it.
FILES = {
    "workflow": ("the language of workflow files", "docs/reference/language.md", None),
    "report": ("the report of a run", "docs/reference/report.md", None),
    "config": ("the configuration of graphflow", "docs/reference/cli.md", "Configuration"),
    "world": ("descriptions of a sandbox", "docs/reference/sandbox.md", "World files"),
    "faults": ("what a sandbox does wrong", "docs/reference/faults.md", None),
    "test": ("cases of a workflow", "docs/reference/tests.md", None),
}
PAGES = {"language.md": "graphflow-workflow(5)", "report.md": "graphflow-report(5)",
         "faults.md": "graphflow-faults(5)", "tests.md": "graphflow-test(5)", "cli.md": "graphflow(1)",
         "cli.md#configuration": "graphflow-config(5)", "cli.md#proxies-and-certificates":
         "graphflow-config(5)", "sandbox.md": "graphflow-sandbox(1)",
         "sandbox.md#world-files": "graphflow-world(5)"}
# The arguments of commands that those pages are about.
RELATED = {"workflow": {"file", "file or dir"}, "report": {"report"}, "config": {"profile"},
           "world": {"world"}, "faults": {"faults"}}
WIDTH = 78


def escaped(text, code=False):
    """Text for roff; in code every character stays as it is."""
    text = text.replace("\\", "\\e")
    if code:
        for character, name in {"-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha",
                                "~": "\\(ti"}.items():
            text = text.replace(character, name)
    else:
        text = re.sub(r"(?<![\w-])-{1,2}(?=\w)", lambda dashes: "\\-" * len(dashes[0]), text)
    return re.sub(r"[^\x00-\x7f]", lambda other: f"\\[u{ord(other[0]):04X}]", text)


def guarded(line):
    """A line of text that is not taken for a request."""
    return "\\&" + line if line.startswith((".", "'")) else line


def argument(text):
    """One argument of a macro that is not taken for another macro."""
    text = text.replace('"', "\\(dq")
    if re.fullmatch(r"[A-Z%][A-Za-z]{1,2}|[^\w\s]", text):
        text = "\\&" + text
    return f'"{text}"' if " " in text or not text else text


def linked(target, label, page):
    """A link of the documentation: the manual page that it leads to, if there is one."""
    if re.match("[a-z]+:", target):
        return f"{inline(label, page)} <{escaped(target)}>"
    path, _, anchor = target.partition("#")
    name = os.path.basename(path or page)
    manual = PAGES.get(f"{name}#{anchor}", PAGES.get(name))
    command = re.match("graphflow-([a-z-]+?)(-file.*|-run|-code.*|-name.*)?$", anchor)
    if name == "cli.md" and command:
        manual = f"graphflow-{command[1]}(1)" if command[1] in COMMANDS else manual
    if manual and path:
        manual = re.sub(r"^(.+)(\(.\))$", r"\\fB\1\\fR\2", manual).replace("-", "\\-")
        return manual if label.endswith(".md") else f"{inline(label, page)} ({manual})"
    if label.endswith(".md"):
        label = os.path.normpath(os.path.join(os.path.dirname(page), path))
    return inline(label, page)


def inline(text, page):
    """Markdown within a paragraph."""
    pattern = (r"(`+)(.+?)\1|<code>(.+?)</code>|\*\*(.+?)\*\*|\*([^*]+)\*|"
               r"\[((?:[^]`]|`[^`]*`)+)\]\(([^)]+)\)")
    result, end = "", 0
    for match in re.finditer(pattern, text, re.DOTALL):
        _, code, tag, strong, emphasis, label, target = match.groups()
        result += escaped(html.unescape(text[end:match.start()]))
        end = match.end()
        if code or tag:
            result += f"\\fB{escaped(code or html.unescape(tag), code=True)}\\fR"
        elif strong:
            result += f"\\fB{inline(strong, page)}\\fR"
        elif emphasis:
            result += f"\\fI{inline(emphasis, page)}\\fR"
        else:
            result += linked(target, label, page)
    return result + escaped(html.unescape(text[end:]))


def filled(text):
    """A paragraph of escaped text: each sentence begins a line, as mdoc wants it."""
    text = " ".join(text.split())
    lines = []
    for sentence in re.split(r"(?<=[.!?])(?<!etc\.) +|(?<=[.!?][)\"']) +|(?<=[.!?]\\fR) +", text):
        lines += textwrap.wrap(sentence, WIDTH, break_long_words=False, break_on_hyphens=False)
    return [guarded(line) for line in lines]


def literal(lines):
    body = [guarded(escaped(line.rstrip(), code=True)) for line in lines]
    return [".Bd -literal -offset indent", *body, ".Ed"]


def table(lines, page):
    """A table as a list: what the first column names, and what the others say of it."""
    rows = [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in lines]
    head, rows = rows[0], rows[2:]
    out = [".Bl -tag -width Ds"]
    if head[-1] != "meaning" and len(head) == 2:
        rows.insert(0, [f"*{cell}*" for cell in head])
    for first, *others in rows:
        labelled = [f"{name}: {cell}" for name, cell in zip(head[1:], others) if cell]
        said = others[-1]
        if len(head) > 2 and head[-1] == "meaning":
            first += f" ({'; '.join(labelled[:-1])})" if labelled[:-1] else ""
        elif len(head) > 2:
            said = "; ".join(labelled)
        out += [".It " + argument(inline(first, page)), *filled(inline(said, page))]
    return out + [".El"]


def blocks(text, page, shift=0):
    """Markdown as mdoc; a heading of level 2 + shift is a section."""
    out, lines, at = [], text.strip("\n").split("\n"), 0

    def taken(condition):
        nonlocal at
        start = at
        while at < len(lines) and condition(lines[at]):
            at += 1
        return lines[start:at]

    while at < len(lines):
        line = lines[at]
        item = re.match(r"(-|\d+\.) +", line)
        if not line.strip():
            at += 1
        elif line.startswith("```"):
            at += 1
            out += literal(taken(lambda line: not line.startswith("```")))
            at += 1
        elif heading := re.match(r"(#+) (.*)", line):
            at += 1
            title = escaped(re.sub(r"[`*]", "", heading[2]))
            if len(heading[1]) > 2 + shift:
                out.append(".Ss " + argument(title))
            else:
                # ERRORS as such is a section of pages about functions.
                out.append(".Sh " + title.upper().replace("ERRORS", "CATEGORIES OF ERRORS"))
        elif line.startswith("|"):
            out += table(taken(lambda line: line.startswith("|")), page)
        elif item:
            out.append(".Bl -bullet" if item[1] == "-" else ".Bl -enum")
            width = len(item[0])
            while at < len(lines) and re.match(r"(-|\d+\.) ", lines[at]):
                first = lines[at][width:]
                at += 1
                rest = taken(lambda line: line.startswith(" " * width) or not line)
                out += [".It", *blocks("\n".join([first, *(line[width:] for line in rest)]), page)]
            out.append(".El")
        elif line.startswith("!["):
            at += 1
        else:
            if out and not out[-1].startswith((".Sh", ".Ss", ".It")):
                out.append(".Pp")
            out += filled(inline(" ".join(taken(
                lambda line: line and not re.match(r"```|#|\||- |\d+\. ", line))), page))
    return out


def section(path, title):
    """A section of a page of the documentation, without its heading."""
    parts = re.split(r"^## (.+)$", read(path).decode(), flags=re.MULTILINE)
    return parts[parts.index(title) + 1]


def see_also(names):
    names = sorted(set(names), key=lambda name: (name[-2], name))
    return [".Sh SEE ALSO", *(f".Xr {name[:-3]} {name[-2]}" + (" ," if name != names[-1] else "")
                              for name in names)]


def page(name, description, body, related, moment):
    """A whole page; `name` has its section, as in graphflow(1)."""
    date = time.gmtime(moment)
    head = [f".Dd {time.strftime('%B', date)} {date.tm_mday}, {date.tm_year}",
            f".Dt {name[:-3].upper()} {name[-2]}", f".Os graphflow {VERSION}",
            ".Sh NAME", f".Nm {name[:-3]}", ".Nd " + escaped(description)]
    return "\n".join(head + body + see_also(set(related) - {name})) + "\n"


def spelled(option):
    """An argument, or the names of an option with its value, as arguments of mdoc."""
    if option["kind"] == "positional":
        return "Ar " + argument(escaped(option["valueName"]))
    names = [("" if name["kind"] == "short" else "-") + name["name"]
             for name in sorted(option["names"], key=lambda name: len(name["name"]))]
    value = " Ar " + argument(escaped(option["valueName"])) if option["kind"] == "option" else ""
    return " , ".join(f"Fl {name}{value}" for name in names)


def options(arguments):
    """The arguments and options, in the groups and with the words of the help."""
    groups = {"Arguments": []}
    for given in filter(lambda given: given["shouldDisplay"], arguments):
        title = "Arguments" if given["kind"] == "positional" else "Options"
        groups.setdefault(given.get("sectionTitle", title), []).append(given)
    groups["Options"] = groups.pop("Options")
    out = [".Sh OPTIONS"]
    for title, group in groups.items():
        out += [".Ss " + argument(title)] if len(groups) > 2 and group else []
        out += [".Bl -tag -width Ds"] if group else []
        for given in group:
            shown = spelled(given)
            notes = [f"values: {', '.join(given['allValues'])}"] if given.get("allValues") else []
            notes += [f"default: {given['defaultValue']}"] if given.get("defaultValue") else []
            said = given.get("abstract", "") + (f" ({'; '.join(notes)})" if notes else "")
            out += [".It " + shown, *filled(escaped(said))]
            if given.get("discussion"):
                out += [".Pp", *filled(escaped(given["discussion"]))]
        out += [".El"] if group else []
    return out


def synopsis(words, command):
    lines = [".Sh SYNOPSIS", ".Nm " + " ".join(words)]
    arguments = filter(lambda given: given["shouldDisplay"], command.get("arguments", []))
    for given in sorted(arguments, key=lambda given: given["kind"] == "positional"):
        positional = given["kind"] == "positional"
        if not positional and given["valueName"] in ("help", "version"):
            continue
        shown = spelled({**given, "names": [given.get("preferredName")]})
        shown += " ..." if given["isRepeating"] and positional else ""
        lines.append(f".Op {shown}" if given["isOptional"] or not positional else "." + shown)
    if command.get("subcommands"):
        lines += [".Op Ar command", ".Op Ar arguments ..."]
    return lines


def described(discussion):
    """A discussion of the help: its text, and its examples."""
    texts, examples = [], []
    target = texts
    for paragraph in re.split(r"\n\n(?=\S)|\n\n(?=  )", discussion or ""):
        if paragraph.startswith("  "):
            target += literal(textwrap.dedent(paragraph).split("\n"))
            continue
        example = re.match(r"Example: *", paragraph)
        target = examples if example else texts
        target += [".Pp"] if target else []
        said = paragraph[len(example[0]):] if example else paragraph
        if said:
            target += filled(escaped(said[0].upper() + said[1:] if example else said))
        elif target:
            target.pop()
    return texts, [".Sh EXAMPLES", *examples] if examples else []


def named(words):
    return "-".join(words) + "(1)"


def command_pages(words, command, moment):
    """The page of a command and those of the commands below it."""
    abstract = command["abstract"].rstrip(".")
    subcommands = [below for below in command.get("subcommands", [])
                   if below["commandName"] != "help"]
    texts, examples = described(command.get("discussion"))
    body = synopsis(words, command) + [
        ".Sh DESCRIPTION", *(texts or filled(escaped(abstract + ".")))]
    related = {"graphflow(1)", named(words[:-1] or words)}
    for given in command.get("arguments", []):
        names = {given["valueName"], *(name["name"] for name in given.get("names", []))}
        related |= {f"graphflow-{kind}(5)" for kind, told in RELATED.items() if names & told}
    if subcommands:
        body += [".Sh COMMANDS", ".Bl -tag -width Ds"]
        for below in subcommands:
            body += [f".It Xr {named([*words, below['commandName']])[:-3]} 1",
                     *filled(escaped(below["abstract"]))]
        body.append(".El")
    body += options(command.get("arguments", []))
    cli = "docs/reference/cli.md"
    if len(words) == 1:
        body += [".Sh OUTPUT", *blocks(section(cli, "Two rules for scripts"), cli)]
        body += [".Sh ENVIRONMENT",
                 *blocks(section(cli, "Configuration").partition("```")[0], cli)]
        body += [".Sh FILES", *blocks(section(cli, "Where runs are kept"), cli)]
        body += [".Sh EXIT STATUS", *blocks(section(cli, "Exit codes"), cli)]
        related |= {f"graphflow-{kind}(5)" for kind in FILES}
    else:
        body += [".Sh EXIT STATUS", ".Xr graphflow 1", "lists the codes of all commands."]
        told = json.dumps(command)
        related |= {f"graphflow-{other}(1)" for other in COMMANDS
                    if f"graphflow {other} " in told and " " not in other}
    yield named(words), page(named(words), abstract[0].lower() + abstract[1:], body + examples,
                             related, moment)
    for below in subcommands:
        yield from command_pages([*words, below["commandName"]], below, moment)


def file_page(kind, moment):
    """The page of a kind of file."""
    description, path, title = FILES[kind]
    text = section(path, title) if title else read(path).decode().partition("\n")[2]
    body = [".Sh DESCRIPTION", *blocks(text, path, shift=1 if title else 0)]
    related = {"graphflow(1)", *(f"graphflow-{other}(5)" for other in FILES)}
    name = f"graphflow-{kind}(5)"
    return name, page(name, description, body, related, moment)


COMMANDS = set()


def pages(program, moment):
    """All pages by their paths below the prefix of an installation."""
    command = json.loads(output_of(os.path.abspath(program), "--experimental-dump-help"))["command"]
    COMMANDS.update(below["commandName"] for below in command["subcommands"])
    made = [*command_pages(["graphflow"], command, moment),
            *(file_page(kind, moment) for kind in FILES)]
    return {f"share/man/man{name[-2]}/{name[:-3]}.{name[-2]}": (text.encode("ascii"), 0o644)
            for name, text in made}


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__.strip())
    for path, (content, _) in pages(sys.argv[1], commit_time()).items():
        path = os.path.join(sys.argv[2], path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)


if __name__ == "__main__":
    main()
