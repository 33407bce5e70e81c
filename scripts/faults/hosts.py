"""Hosts that share a PostgreSQL database and a sandbox: namespaces with a network and a file system
of their own.

A host has its own loopback, on which only a relay to the sandbox listens, and its own home and
workflow folder. The database is reached through its Unix socket, or through a relay that can stall.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import reference  # noqa: E402


class Relay:
    """Passes bytes from a TCP port, or a Unix socket, to another one; can stall and cut."""

    def __init__(self, listener, connect):
        self.connect, self.listener = connect, listener
        self.is_stalled = False
        self.pairs = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                server = self.connect()
            except OSError:
                return
            self.pairs += [client, server]
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self.copy, args=(source, target), daemon=True).start()

    def copy(self, source, target):
        try:
            while data := source.recv(1 << 16):
                while self.is_stalled:
                    time.sleep(0.005)
                target.sendall(data)
        except OSError:
            pass
        end(source, target)

    def close(self):
        end(self.listener, *self.pairs)


def end(*sockets):
    """Ends connections; a thread that waits for one would otherwise wait for the next one that gets
    its number."""
    for each in sockets:
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def unix_listener(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    return listener


def unix_client(path):
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    return client


# Runs in the namespace of a host: passes ports of its loopback on to Unix sockets.
RELAY = """
import json, os, socket, subprocess, sys
sys.path.insert(0, sys.argv[1])
import hosts
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
for folder in sys.argv[3:]:
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
for port, path in json.loads(sys.argv[2]):
    listener = socket.create_server(("127.0.0.1", port))
    hosts.Relay(listener, lambda path=path: hosts.unix_client(path))
print("ready", flush=True)
sys.stdin.read()
"""


class Host:
    """Its processes see its own folders, and reach services only through its own loopback.

    `services` are pairs of a port of its loopback and the Unix socket behind it.
    """

    def __init__(self, services, folders):
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--net", sys.executable, "-c", RELAY,
             os.path.dirname(os.path.abspath(__file__)), json.dumps(services), *folders],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.process.stdout.readline() != b"ready\n":
            sys.exit("a host did not start")
        self.prefix = ["nsenter", "--target", str(self.process.pid), "--mount", "--net"]

    def kill(self):
        """Kills every process of the host but its relays, as if the machine had failed."""
        if self.process.poll() is not None:
            return 0
        mine, killed = os.readlink(f"/proc/{self.process.pid}/ns/net"), 0
        if mine == os.readlink("/proc/self/ns/net"):
            sys.exit("a host has no network of its own")
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if int(pid) != self.process.pid and os.readlink(f"/proc/{pid}/ns/net") == mine:
                    os.kill(int(pid), signal.SIGKILL)
                    killed += 1
            except OSError:
                pass
        return killed

    def stop(self):
        self.kill()
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class SharedPlace(reference.Place):
    """A sandbox, a database of its own, and two hosts; only the first one has the workflow file."""

    number = 0

    def __init__(self, library, lease="1 second", address=None):
        super().__init__(library)
        server = os.environ["GRAPHFLOW_TEST_POSTGRES"]
        SharedPlace.number += 1
        self.database = f"try_{os.getpid()}_{SharedPlace.number}_{time.monotonic_ns()}"
        self.psql(server, f"CREATE DATABASE {self.database} TEMPLATE template0")
        sockets = os.path.dirname(os.environ["GRAPHFLOW_TEST_POSTGRES_DATA"])
        port = server.rsplit(":", 1)[1].split("/")[0]
        self.address = f"postgresql://graphflow@/{self.database}?host={sockets}&port={port}"
        self.server = (sockets, port)
        del self.environment["GRAPHFLOW_STATE_DIR"]
        self.environment["GRAPHFLOW_STATE"] = self.address
        code, messages = super().run("state", "migrate")
        if code:
            sys.exit(f"state migrate exits with {code}: {messages}")
        self.sql(f"UPDATE graphflow.settings SET lease = '{lease}'")
        if address:
            self.environment["GRAPHFLOW_STATE"] = address(self)
        os.mkdir(self.path("local"))
        self.relay = Relay(unix_listener(self.path("graph.sock")), lambda: socket.create_connection(
            ("127.0.0.1", int(self.url.rsplit(":", 1)[1]))))
        services = [(int(self.url.rsplit(":", 1)[1]), self.path("graph.sock"))]
        folders = [self.path("home"), self.path("local")]
        self.hosts = [Host(services, folders), Host(services, folders)]
        self.flow = self.path("local/pairs.yaml")
        subprocess.run([*self.hosts[0].prefix, "cp", self.path("pairs.yaml"), self.flow],
                       check=True)

    def __exit__(self, *_):
        for host in self.hosts:
            host.stop()
        self.relay.close()
        self.psql(os.environ["GRAPHFLOW_TEST_POSTGRES"],
                  f"DROP DATABASE {self.database} WITH (FORCE)")
        super().__exit__()

    @staticmethod
    def psql(address, *statements):
        words = [word for statement in statements for word in ("-c", statement)]
        done = subprocess.run(["psql", "--quiet", "--no-psqlrc", "--tuples-only", "--no-align",
                               *words, address], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"psql: {done.stderr}")
        return done.stdout.strip()

    def sql(self, *statements):
        return self.psql(self.address, *statements)

    def command(self, host, *words):
        return [*self.hosts[host].prefix, reference.binary(), *words]

    def start(self, host, *words, fault=None):
        """Starts graphflow on a host."""
        environment = dict(self.environment)
        if fault:
            environment |= {"LD_PRELOAD": self.library, **fault}
        # nsenter itself must not count.
        prefix = [*self.hosts[host].prefix, "env",
                  *[f"{name}={value}" for name, value in environment.items()]]
        return subprocess.Popen([*prefix, reference.binary(), *words], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                cwd=self.folder)

    def run(self, *words, fault=None, host=None):
        """Runs graphflow on a host; the second one if nothing else is said."""
        process = self.start(1 if host is None else host, *words, fault=fault)
        try:
            _, messages = process.communicate(timeout=reference.PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            return "no end", ""
        code = process.returncode
        # A shell's code for a signal, if nsenter reports it so.
        return (128 - code if code > 128 else code), messages

    def has_run(self):
        return self.sql("SELECT count(*) FROM graphflow.entries") != "0"
