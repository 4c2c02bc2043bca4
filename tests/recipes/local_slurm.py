"""A Slurm cluster of two nodes on this machine, for as long as a test takes. Listens on the loopback device
only."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin"
CONFIGURATION = """\
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
TmpFS={folder}/tmp.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1
NodeName=node2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1
PartitionName=main Nodes=node1,node2 Default=YES State=UP
"""


def why_not() -> str:
    """Why there can be no such cluster here; empty if there can."""
    missing = [name for name in (*DAEMONS, "sbatch") if not shutil.which(name, path=PATH)]
    if missing:
        return f"no {', '.join(missing)} here (Debian: apt install slurmctld slurmd slurm-client munge)"
    return "" if os.geteuid() == 0 else "slurmd starts jobs as root only"


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for opened in sockets:
        opened.bind(("127.0.0.1", 0))
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports


class Cluster:
    """Ends what it started, and nothing else."""

    def __init__(self):
        self.scratch = tempfile.TemporaryDirectory(
            prefix="cfdmark-slurm-"
        )  # Slurm knows no paths with blanks
        self.folder = folder = Path(self.scratch.name)
        self.processes: list[subprocess.Popen] = []
        for name in ("state", "spool.node1", "spool.node2", "tmp.node1", "tmp.node2"):
            (folder / name).mkdir()
        host = socket.gethostname().partition(".")[0]
        self.configuration = folder / "slurm.conf"
        self.configuration.write_text(CONFIGURATION.format(host=host, folder=folder, ports=free_ports(3)))

    def __enter__(self) -> "Cluster":
        try:
            self.start_all()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start_all(self) -> None:
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        files = {
            "key-file": key,
            **{f"{n}-file": self.folder / f"munged.{n}" for n in ("pid", "log", "seed")},
        }
        words = [f"--{name}={path}" for name, path in files.items()]
        self.start("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket", *words)
        self.wait("munge", lambda: (self.folder / "munge.socket").exists())
        self.start("slurmctld", "-D")
        for node in ("node1", "node2"):
            self.start("slurmd", "-D", "-N", node)
        self.wait(
            "two idle nodes", lambda: self.ask("sinfo", "-h", "-N", "-o", "%t").split() == ["idle", "idle"]
        )

    def __exit__(self, *_) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.scratch.cleanup()

    def environment(self) -> dict[str, str]:
        return {"PATH": PATH, "SLURM_CONF": str(self.configuration), "HOME": str(self.folder)}

    def start(self, *words: str) -> None:
        with open(self.folder / f"{words[0]}.out", "ab") as out:
            self.processes.append(
                subprocess.Popen(
                    words, env=self.environment(), stdin=subprocess.DEVNULL, stdout=out, stderr=out
                )
            )

    def ask(self, *words: str) -> str:
        done = subprocess.run(words, env=self.environment(), capture_output=True, text=True, check=False)
        return done.stdout

    def wait(self, what: str, ready, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > end:
                raise TimeoutError(f"no {what} within {seconds} s:\n{self.logs()}")
            time.sleep(0.2)

    def logs(self) -> str:
        paths = [*self.folder.glob("*.log"), *self.folder.glob("*.out")]
        return "\n".join(f"{path.name}:\n{path.read_text(errors='replace')[-2000:]}" for path in paths)
