#!/usr/bin/env python3
"""Writes small packing problems with their optimal solutions, for the tests of the packer.

    python3 -m venv /tmp/ortools && /tmp/ortools/bin/pip install ortools
    /tmp/ortools/bin/python scripts/packing-optimum.py > Tests/GraphFlowTests/Golden/packing/optima.txt

Each line is one problem of at most 14 operations: the width of a batch, how many unsafe writes it
may hold, one letter for each operation (`.` shares a batch, `u` is an unsafe write, `a` is sent
alone), and the constraints `PREDECESSOR-DEPENDENT` with their kind (`d` data, `o` order, `h` hard).
After `|` follow the fewest calls, with the fewest rounds for that number of calls, then the fewest
rounds, with the fewest calls for that number of rounds; CP-SAT has proved all four. The problem is
defined in docs/internals/planning.md. The same seeds give the same file.
"""

import argparse
import multiprocessing
import random
import sys
from itertools import combinations

from ortools.sat.python import cp_model


class Problem:
    def __init__(self, width, unsafe_writes, flags, edges):
        self.width, self.unsafe_writes, self.flags = width, unsafe_writes, flags
        strictest = {}
        for before, after, kind in edges:
            if "a" in (flags[before], flags[after]):
                kind = "h"
            old = strictest.get((before, after), "o")
            strictest[before, after] = min(kind, old, key="hdo".index)
        self.edges = [(p, d, k) for (p, d), k in sorted(strictest.items())]

    def __str__(self):
        edges = " ".join(f"{p}-{d}{k}" for p, d, k in self.edges)
        return f"{self.width} {self.unsafe_writes} {self.flags} {edges}".rstrip()

    def descendants(self):
        """For each operation, all that depend on it, directly or indirectly."""
        below = [set() for _ in self.flags]
        for before, after, _ in sorted(self.edges, reverse=True):
            below[before] |= {after} | below[after]
        return below


def model(problem, calls):
    """Batches in the order of their rounds; `batch[v]` and `round[v]` are the place of v."""
    m = cp_model.CpModel()
    n = len(problem.flags)
    inside = [[m.new_bool_var("") for _ in range(calls)] for _ in range(n)]
    batch = [m.new_int_var(0, calls - 1, "") for _ in range(n)]
    round_of = [m.new_int_var(0, calls - 1, "") for _ in range(n)]
    rounds = [m.new_int_var(0, calls - 1, "") for _ in range(calls)]
    used = [m.new_bool_var("") for _ in range(calls)]
    for c in range(calls):
        for v in range(n):
            m.add(round_of[v] == rounds[c]).only_enforce_if(inside[v][c])
            m.add_implication(inside[v][c], used[c])
            if problem.flags[v] == "a":
                m.add(sum(inside[w][c] for w in range(n)) == 1).only_enforce_if(inside[v][c])
        m.add(sum(inside[v][c] for v in range(n)) <= problem.width)
        unsafe = [inside[v][c] for v in range(n) if problem.flags[v] == "u"]
        m.add(sum(unsafe) <= problem.unsafe_writes)
        if c > 0:
            m.add(rounds[c - 1] <= rounds[c])
            m.add_implication(used[c], used[c - 1])
    for v in range(n):
        m.add_exactly_one(inside[v])
        m.add(batch[v] == sum(c * inside[v][c] for c in range(calls)))
    together = {}
    for before, after, kind in problem.edges:
        if kind == "h":
            m.add(round_of[after] >= round_of[before] + 1)
            continue
        same = m.new_bool_var("")
        together[before, after] = same
        m.add(batch[before] == batch[after]).only_enforce_if(same)
        m.add(round_of[after] >= round_of[before] + 1).only_enforce_if(~same)
    below = problem.descendants()
    for v in range(n):
        # Of two explicit dependencies in a batch, a third operation must imply one.
        ordered = [p for p, d, k in problem.edges if d == v and k == "o"]
        soft = [p for p, d, k in problem.edges if d == v and k != "h"]
        for p, q in combinations(ordered, 2):
            if p in below[q] or q in below[p]:
                continue
            implying = [together[w, v] for w in soft if w in below[p] | below[q]]
            m.add(together[p, v] + together[q, v] <= 1 + sum(implying))
    last = m.new_int_var(0, calls - 1, "")
    m.add_max_equality(last, round_of)
    return m, sum(used), last


def least(m, goal):
    m.minimize(goal)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    status = solver.solve(m)
    if status == cp_model.INFEASIBLE:
        return None
    assert status == cp_model.OPTIMAL, solver.status_name(status)
    return round(solver.objective_value)


def capacity_bound(problem):
    alone, unsafe = problem.flags.count("a"), problem.flags.count("u")
    shared = len(problem.flags) - alone
    return alone + max(-(-shared // problem.width), -(-unsafe // problem.unsafe_writes))


def solve(problem):
    calls = max(1, capacity_bound(problem))
    while True:
        m, _, last = model(problem, calls)
        rounds = least(m, last)
        if rounds is not None:
            break
        calls += 1
    most = len(problem.flags)
    m, _, last = model(problem, most)
    fewest_rounds = least(m, last)
    if fewest_rounds == rounds:
        fewest_calls = calls
    else:
        m, used, last = model(problem, most)
        m.add(last <= fewest_rounds)
        fewest_calls = least(m, used)
    return f"{problem} | {calls} {rounds + 1} {fewest_rounds + 1} {fewest_calls}"


def independent(r, n):
    return []


def sparse(r, n):
    share = r.uniform(0.05, 0.35)
    kinds = r.choice(["d", "h", "ddh", "dhh", "ddoh", "o", "oh"])
    return [
        (p, d, r.choice(kinds)) for d in range(n) for p in range(d) if r.random() < share
    ]


def forest(r, n):
    kinds = r.choice(["d", "dh", "ddddh", "h"])
    start = r.uniform(0.1, 0.5)
    return [(r.randrange(max(0, d - 4), d), d, r.choice(kinds)) for d in range(1, n) if r.random() > start]


def gathering(r, n):
    return [(n - 1 - d, n - 1 - p, k) for p, d, k in forest(r, n)]


def chains(r, n):
    edges, start = [], 0
    while start < n:
        length = r.randint(1, 6)
        kinds = r.choice(["d", "h", "dh", "dddh"])
        edges += [(v - 1, v, r.choice(kinds)) for v in range(start + 1, min(n, start + length))]
        start += length
    return edges


def layers(r, n):
    depth = [r.randrange(r.randint(2, 4)) for _ in range(n)]
    depth.sort()
    kinds = r.choice(["h", "dh", "ddh", "d"])
    share = r.uniform(0.15, 0.6)
    return [
        (p, d, r.choice(kinds))
        for d in range(n)
        for p in range(d)
        if depth[p] + 1 == depth[d] and r.random() < share
    ]


def groups(r, n):
    k = r.randint(2, 5)
    inner = [(p, d, r.choice("ddoh")) for d in range(k) for p in range(d) if r.random() < 0.6]
    items = n // k
    edges = [(i * k + p, i * k + d, kind) for i in range(items) for p, d, kind in inner]
    if items * k < n:
        first = r.random() < 0.5
        if not first:
            edges += [(i, n - 1, "h") for i in range(n - 1)]
    return edges


def ordered(r, n):
    edges = []
    for d in range(1, n):
        for p in r.sample(range(d), min(d, r.choice([0, 0, 1, 2, 3]))):
            edges.append((p, d, r.choice("oood")))
    return edges


FAMILIES = [independent, sparse, sparse, forest, gathering, chains, layers, groups, ordered]


def problem(seed):
    r = random.Random(seed)
    n = r.randint(4, 14) if seed % 4 else 14
    width = r.randint(2, 5)
    edges = FAMILIES[seed % len(FAMILIES)](r, n)
    alone = r.choice([0, 0, 0, 0.1, 0.3])
    unsafe = r.choice([0, 0, 0, 0.3, 0.7])
    flags = "".join(
        "a" if r.random() < alone else "u" if r.random() < unsafe else "." for _ in range(n)
    )
    return Problem(width, r.randint(1, width), flags, edges)


def line(seed):
    return solve(problem(seed))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2500)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.count)
    with multiprocessing.Pool() as pool:
        for text in pool.imap(line, seeds, chunksize=8):
            print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
