"""An expert's script for one job: reads of many objects in batches, several calls at a time.

Usage: asyncio_reads.py URL ROWS.csv REPORT.jsonl WIDTH [pairs]

Reads each object of the file and writes a line about it. With `pairs` each object is read again as
soon as its first answer has arrived. A call that fails is retried twice.
"""

import asyncio
import csv
import sys
import urllib.parse

import aiohttp
import orjson

TRIES = 3


async def call(session, url, ids):
    """The answers to a batch of reads, in the order of the ids."""
    batch = [{"method": "GET", "relative_url": id + "?fields=id,message,created_time,from"} for id in ids]
    form = urllib.parse.urlencode({"access_token": "bench-token", "batch": orjson.dumps(batch)})
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    for attempt in range(TRIES):
        try:
            async with session.post(url + "/v25.0/", data=form.encode(), headers=headers) as answer:
                answer.raise_for_status()
                return orjson.loads(await answer.read())
        except (aiohttp.ClientError, asyncio.TimeoutError):
            if attempt == TRIES - 1:
                raise
            await asyncio.sleep(2**attempt)


def note(report, ids, items):
    """Writes the result of each; returns the successful ones."""
    lines, good = [], []
    for id, item in zip(ids, items):
        body = orjson.loads(item["body"]) if item else None
        is_good = item is not None and item["code"] == 200
        lines.append(orjson.dumps({"key": id, "ok": is_good, "body": body}))
        if is_good:
            good.append(id)
    report.write(b"\n".join(lines) + b"\n")
    return good


async def main(url, rows, path, width, is_pairs):
    with open(rows, newline="", encoding="utf-8") as file:
        ids = [row["id"] for row in csv.DictReader(file)]
    chunks = iter([ids[start:start + 50] for start in range(0, len(ids), 50)])
    timeout = aiohttp.ClientTimeout(total=60)
    connector = aiohttp.TCPConnector(limit=width)
    with open(path, "wb") as report:
        async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:

            async def work():
                for chunk in chunks:
                    good = note(report, chunk, await call(session, url, chunk))
                    if is_pairs and good:
                        note(report, good, await call(session, url, good))

            await asyncio.gather(*(work() for _ in range(width)))


asyncio.run(main(*sys.argv[1:4], int(sys.argv[4]), "pairs" in sys.argv))
