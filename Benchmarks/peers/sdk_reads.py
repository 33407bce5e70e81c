"""The same job with Meta's SDK, facebook_business: batches from several threads.

Usage: sdk_reads.py URL ROWS.csv REPORT.jsonl WIDTH
"""

import concurrent.futures
import csv
import json
import sys

from facebook_business.adobjects.page import Page
from facebook_business.api import FacebookAdsApi
from facebook_business.session import FacebookSession

url, rows, path, width = sys.argv[1:5]
FacebookSession.GRAPH = url
with open(rows, newline="", encoding="utf-8") as file:
    ids = [row["id"] for row in csv.DictReader(file)]


def read(chunk):
    """The lines about the objects of a batch."""
    api = FacebookAdsApi(FacebookSession(access_token="bench-token"))
    batch = api.new_batch()
    lines = []

    def note(id, is_good):
        def noted(answer):
            lines.append(json.dumps({"key": id, "ok": is_good, "body": answer.json()}))
        return noted

    for id in chunk:
        Page(id, api=api).api_get(fields=["id", "message", "created_time", "from"], batch=batch,
                                  success=note(id, True), failure=note(id, False))
    batch.execute()
    return lines


chunks = [ids[start:start + 50] for start in range(0, len(ids), 50)]
with open(path, "w", encoding="utf-8") as report:
    with concurrent.futures.ThreadPoolExecutor(int(width)) as pool:
        for lines in pool.map(read, chunks):
            report.write("\n".join(lines) + "\n")
