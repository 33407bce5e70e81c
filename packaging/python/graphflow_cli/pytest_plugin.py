"""The fixture `graph_sandbox`: a fresh local Graph API for each test."""

from collections.abc import Iterator

import pytest

from graphflow_cli import Sandbox, sandbox


@pytest.fixture
def graph_sandbox() -> Iterator[Sandbox]:
    """A local Graph API of the test's own; `url` is its address, `token()` its default token."""
    with sandbox() as graph:
        yield graph
