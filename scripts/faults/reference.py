"""A reference run of 200 operations against a sandbox, faults in its system calls, and a checker.

The checker shares no code with the product: it asks the sandbox's world and ledger what happened,
and compares that with what the report says.
"""

import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PAIRS = 100
PATIENCE = 300


def binary():
    """The graphflow under test: GRAPHFLOW_BINARY, else the build in .build."""
    path = os.environ.get("GRAPHFLOW_BINARY") or os.path.join(ROOT, ".build/debug/graphflow")
    if not os.access(path, os.X_OK):
        sys.exit(f"no graphflow at {path}; set GRAPHFLOW_BINARY")
    return os.path.abspath(path)


def interposer(folder):
    """Compiles the library that makes a system call fail into a folder."""
    library = os.path.join(folder, "interpose.so")
    for compiler in ("clang", "cc", "gcc"):
        if shutil.which(compiler):
            subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library,
                            os.path.join(HERE, "interpose.c"), "-ldl"], check=True)
            return library
    print("SKIPPED: there is no C compiler here")
    sys.exit(69)


def workflow(pairs=PAIRS):
    """As many writes as reads; every other write has `confirm`, every other read depends on one."""
    text = "graphflow: 1\nrequests:\n"
    for number in range(pairs):
        # The sandbox ignores the parameter locale, which identifies writes in its ledger.
        text += (f"  w{number}:\n    post: me/feed?locale=w{number}_\n"
                 f'    params: {{message: "text {number} end"}}\n')
        if number % 2:
            text += ("    confirm:\n      get: me/feed\n"
                     '      params: {fields: "id,message,created_time", limit: 100}\n'
                     f"      when: $.data[?@.message == 'text {number} end']\n"
                     "      within: 200ms\n")
        else:
            text += "    idempotent: false\n"
        path = '"{result=w%d:$.id}"' % number if number % 4 < 2 else "me"
        text += f"  r{number}:\n    get: {path}\n    params: {{fields: id, locale: r{number}_}}\n"
    return text


class Place:
    """An empty home and state directory, and a sandbox."""

    def __init__(self, library, *sandbox_options):
        self.library = library
        self.folder = tempfile.mkdtemp(prefix="graphflow-faults-")
        self.flow = self.path("pairs.yaml")
        os.mkdir(self.path("home"))
        with open(self.flow, "w", encoding="utf-8") as file:
            file.write(workflow())
        self.environment = {"HOME": self.path("home"), "PATH": "/usr/bin:/bin",
                            "GRAPHFLOW_STATE_DIR": self.path("state")}
        self.sandbox = subprocess.Popen(
            [binary(), "sandbox", "--quiet", "--format", "json", "--ledger",
             self.path("ledger.jsonl"),
             *sandbox_options],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        facts = json.loads(self.sandbox.stdout.readline())
        self.url, self.tokens = facts["url"], facts["tokens"]
        self.token = self.tokens["page"]
        self.environment |= {"GRAPHFLOW_GRAPH_URL": self.url,
                             "GRAPHFLOW_ACCESS_TOKEN": self.token}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sandbox.kill()
        self.sandbox.wait()
        self.sandbox.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, fault=None):
        """Runs graphflow; returns its exit code, negative after a signal, and its messages."""
        environment = dict(self.environment)
        if fault:
            environment |= {"LD_PRELOAD": self.library, **fault}
        try:
            done = subprocess.run([binary(), *words], env=environment, capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=PATIENCE, cwd=self.folder)
        except subprocess.TimeoutExpired:
            return "no end", ""
        return done.returncode, done.stderr.decode("utf-8", "replace")

    def census(self, *words, kinds=None):
        """Every system call of a command that counts, as lines 'NUMBER NAME WHAT'."""
        log = self.path("census.log")
        fault = {"FAULT_LOG": log}
        if kinds:
            fault["FAULT_ON"] = kinds
        code, messages = self.run(*words, fault=fault)
        if code != 0:
            sys.exit(f"the reference run itself exits with {code}: {messages[-2000:]}")
        with open(log, encoding="utf-8") as lines:
            return [line.rstrip("\n") for line in lines]

    def published(self):
        """The ids of the posts in the feed, by number of the write."""
        found = collections.defaultdict(list)
        query = urllib.parse.urlencode({"access_token": self.token, "fields": "message",
                                        "limit": 100})
        url = f"{self.url}/v25.0/me/feed?{query}"
        while url:
            with urllib.request.urlopen(url, timeout=30) as answer:
                page = json.load(answer)
            for post in page["data"]:
                number = re.fullmatch(r"text (\d+) end", post.get("message", ""))
                if number:
                    found[int(number[1])].append(post["id"])
            url = page.get("paging", {}).get("next")
        return found

    def executed(self):
        """How often the sandbox has executed each write, according to its ledger."""
        counts = collections.Counter()
        with open(self.path("ledger.jsonl"), encoding="utf-8") as lines:
            for line in lines:
                for operation in json.loads(line)["operations"]:
                    number = re.search(r"locale=w(\d+)_", operation["resolved_url"])
                    if number and operation["method"] == "POST" and operation["code"] == 200:
                        counts[int(number[1])] += 1
        return counts

    def report(self):
        """The newest run's report; None if there is none."""
        path = self.path("report.json")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def has_run(self):
        runs = self.path("state/runs")
        return os.path.isdir(runs) and bool(os.listdir(runs))


def contradictions(place, report, code, is_final):
    """The contradictions between a report and the world and ledger."""
    faults = []
    published, executed = place.published(), place.executed()
    requests = {request["name"]: request for request in report["requests"]}
    doubtful = [name for name, request in requests.items() if request["status"] == "in_doubt"]
    for number in range(PAIRS):
        name = f"w{number}"
        request, ids = requests[name], published.get(number, [])
        if len(ids) > 1 or executed[number] > 1:
            faults.append(f"DUPLICATE: {name} was published {len(ids)} times, "
                          f"executed {executed[number]} times")
        if len(ids) != executed[number]:
            faults.append(f"{name}: {executed[number]} in the ledger, {len(ids)} in the world")
        status = request["status"]
        if status == "succeeded":
            body = (request.get("body") or {}).get("id")
            if ids != [body]:
                faults.append(f"{name} is reported as {body}, but the feed holds {ids}")
        elif status != "in_doubt":
            faults.append(f"{name} is {status} ({request.get('reason')})")
        elif number % 2:
            faults.append(f"{name} is in doubt, although it has `confirm`")
        read = requests[f"r{number}"]
        is_skipped = read["status"] == "skipped" and number % 4 < 2 and status == "in_doubt"
        if read["status"] != "succeeded" and not is_skipped:
            faults.append(f"r{number} is {read['status']} ({read.get('reason')})")
    if len(requests) != 2 * PAIRS:
        faults.append(f"there are {len(requests)} requests")
    if code != (3 if doubtful else 0):
        faults.append(f"exit code {code} with {len(doubtful)} in doubt")
    if is_final and doubtful:
        faults.append(f"still in doubt: {doubtful}")
    return faults


def resumed(place):
    """Resumes a run, or starts it if it never started; returns exit code and messages."""
    report = ["--report", place.path("report.json")]
    if place.has_run():
        code, messages = place.run("resume", "latest", *report)
        if "never started" not in messages and "there is no journal" not in messages:
            return code, messages
    return place.run("run", place.flow, *report)


def finished(place):
    """Resumes a run until it finishes, first alone, then with its doubts resolved.

    Returns the faults, and the number of writes in doubt.
    """
    code, messages = resumed(place)
    report = place.report()
    if report is None:
        return [f"no report, exit code {code}: {messages[-500:]}"], 0
    faults = contradictions(place, report, code, is_final=False)
    doubtful = [request["name"] for request in report["requests"]
                if request["status"] == "in_doubt"]
    if doubtful and not faults:
        published = place.published()
        words = []
        for name in doubtful:
            ids = published.get(int(name[1:]), [])
            words += ["--applied", f"{name}={ids[0]}"] if ids else ["--not-applied", name]
        code, messages = place.run("resume", "latest", "--report", place.path("report.json"),
                                   *words)
        faults = contradictions(place, place.report(), code, is_final=True)
        if faults:
            faults.append(messages[-500:])
    return faults, len(doubtful)


def sweep(points, attempt, jobs):
    """Attempts every point, a few at a time; yields (point, result) as they finish."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(attempt, point): point for point in points}
        for done in concurrent.futures.as_completed(waiting):
            try:
                yield waiting[done], done.result()
            except Exception as error:  # an error of the harness fails the run
                yield waiting[done], ([f"{type(error).__name__}: {error}"], 0)


def spread(count, wanted):
    """The wanted number of integers from 1 to count, evenly spread; all if there are fewer."""
    if count <= wanted:
        return list(range(1, count + 1))
    return sorted({1 + index * (count - 1) // (wanted - 1) for index in range(wanted)})
