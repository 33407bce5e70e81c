"""Airflow with all its services: metadata in PostgreSQL, the CeleryExecutor over Redis, and two
workers on hosts of their own (scripts/faults/hosts.py). Needs root and scripts/with-postgres."""

import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import psycopg2

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "faults"))
import hosts  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
#: How many tasks one worker runs at a time.
SLOTS = 2


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Cluster:
    """Its services, until the `with` block ends. `connection` is that of GraphFlow."""

    def __init__(self, folder, variables, graph_port, connection):
        self.folder = folder
        server = os.environ["GRAPHFLOW_TEST_POSTGRES"]
        self.processes, self.killed = {}, set()
        self.api, self.redis = free_port(), free_port()
        self.database = f"airflow_{os.getpid()}"
        self.query(server, f"CREATE DATABASE {self.database}")
        address = server.split("://")[1].rsplit("/", 1)[0] + "/" + self.database
        self.address = "postgresql://" + address
        secret = base64.b64encode(os.urandom(64)).decode()
        for name in ("home", "dags", "logs"):
            os.makedirs(self.path(name), exist_ok=True)
        self.environment = {
            "HOME": self.path("home"), "AIRFLOW_HOME": self.path("home"), "LANG": "C.UTF-8",
            "AIRFLOW__CORE__DAGS_FOLDER": self.path("dags"),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__EXECUTOR": "CeleryExecutor",
            "AIRFLOW__CORE__FERNET_KEY": base64.urlsafe_b64encode(os.urandom(32)).decode(),
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS": "True",
            "AIRFLOW__CORE__EXECUTION_API_SERVER_URL":
                f"http://127.0.0.1:{self.api}/execution/",
            "AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION": "False",
            "AIRFLOW__API__HOST": "127.0.0.1", "AIRFLOW__API__PORT": str(self.api),
            "AIRFLOW__API__SECRET_KEY": secret,
            "AIRFLOW__API_AUTH__JWT_SECRET": secret,
            "AIRFLOW__API__BASE_URL": f"http://127.0.0.1:{self.api}",
            "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"postgresql+psycopg2://{address}",
            "AIRFLOW__CELERY__BROKER_URL": f"redis://127.0.0.1:{self.redis}/0",
            "AIRFLOW__CELERY__RESULT_BACKEND": f"db+postgresql://{address}",
            "AIRFLOW__CELERY__WORKER_CONCURRENCY": str(SLOTS),
            "AIRFLOW__LOGGING__BASE_LOG_FOLDER": self.path("logs"),
            "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "30",
            "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT_DETECTION_INTERVAL": "5",
            "AIRFLOW__SCHEDULER__ORPHANED_TASKS_CHECK_INTERVAL": "15",
            "AIRFLOW__SCHEDULER__SCHEDULER_HEALTH_CHECK_THRESHOLD": "15",
            "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "10",
            "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False",
            "AIRFLOW_CONN_GRAPHFLOW_DEFAULT": json.dumps(connection),
            **variables}
        database = server.rsplit(":", 1)[1].split("/")[0]
        services = []
        self.relays = []
        for port in (self.api, self.redis, int(database), graph_port):
            path = self.path(f"{port}.sock")
            self.relays.append(hosts.Relay(
                hosts.unix_listener(path),
                lambda port=port: socket.create_connection(("127.0.0.1", port))))
            services.append((port, path))
        self.hosts = [hosts.Host(services, []), hosts.Host(services, [])]

    def path(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def query(address, statement, *values):
        connection = psycopg2.connect(address)
        connection.autocommit = True
        try:
            with connection.cursor() as cursor:
                cursor.execute(statement, values)
                return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def sql(self, statement, *values):
        """Rows of Airflow's own records."""
        return self.query(self.address, statement, *values)

    def airflow(self, *words):
        """Runs a command of Airflow to its end."""
        done = subprocess.run(["airflow", *words], env=self.environment, capture_output=True,
                              text=True, check=False)
        if done.returncode:
            sys.exit(f"airflow {' '.join(words)}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout

    def start(self, name, *words, host=None):
        log = open(self.path(f"{name}.log"), "ab")  # pylint: disable=consider-using-with
        prefix = [] if host is None else self.hosts[host].prefix
        self.processes[name] = subprocess.Popen(
            [*prefix, shutil.which(words[0], path=self.environment["PATH"]), *words[1:]],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True)
        log.close()

    def start_worker(self, host):
        self.killed.discard(f"worker-{host}")
        self.start(f"worker-{host}", "airflow", "celery", "worker", "--skip-serve-logs",
                   "--celery-hostname", f"worker-{host}@%h", host=host)

    def kill_host(self, host):
        """Kills a host with all its processes; returns their number."""
        self.killed.add(f"worker-{host}")
        return self.hosts[host].kill()

    def kill(self, name):
        """Kills a service and waits for it."""
        process = self.processes.pop(name)
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        process.wait()

    def __enter__(self):
        self.start("redis", "redis-server", "--port", str(self.redis), "--save", "", "--bind",
                   "127.0.0.1", "--dir", self.folder)
        self.airflow("db", "migrate")
        self.start("api", "airflow", "api-server", "--workers", "1")
        for name in ("scheduler", "dag-processor", "triggerer"):
            self.start(name, "airflow", name)
        for host in (0, 1):
            self.start_worker(host)
        self.wait(lambda: urllib.request.urlopen(
            f"http://127.0.0.1:{self.api}/api/v2/version", timeout=5).status == 200, "the API", 120)
        return self

    def check(self):
        """Ends the trial if a service has ended by itself."""
        for name, process in self.processes.items():
            if process.poll() is not None and name not in self.killed:
                with open(self.path(f"{name}.log"), encoding="utf-8") as log:
                    sys.exit(f"try-airflow: {name} has ended:\n{log.read()[-3000:]}")

    def wait(self, condition, what, seconds):
        """Waits until something holds."""
        deadline = time.monotonic() + seconds
        while True:
            self.check()
            try:
                if condition():
                    return
            except OSError:
                pass
            if time.monotonic() > deadline:
                sys.exit(f"try-airflow: {what} took more than {seconds} s")
            time.sleep(0.5)

    def __exit__(self, *_):
        for host in self.hosts:
            host.stop()
        for name in list(self.processes):
            self.kill(name)
        for relay in self.relays:
            relay.close()
        self.query(os.environ["GRAPHFLOW_TEST_POSTGRES"],
                   f"DROP DATABASE {self.database} WITH (FORCE)")
