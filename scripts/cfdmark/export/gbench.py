"""Records in formats of benchmark tools: Google Benchmark's --benchmark_out, for its compare.py, and `tool:
customSmallerIsBetter` of github-action-benchmark."""

from __future__ import annotations

import json

from cfdmark.stats.quantity import time_of


def context_of(environment: dict) -> dict:
    host, program = environment.get("host", {}), environment.get("program", {})
    return {
        "date": environment.get("time", ""),
        "host_name": host.get("name_hash", ""),
        "executable": f"cfdmark {program.get('version', '')}",
        "num_cpus": host.get("cores", 0),
        "caches": [
            {
                "type": "Data" if cache["level"] == 1 else "Unified",
                "level": cache["level"],
                "size": cache["bytes"],
                "num_sharing": cache["shared_by"],
            }
            for cache in host.get("caches", [])
        ],
        "library_build_type": "debug" if program.get("build_type") == "Debug" else "release",
    }


def entries(record: dict, family: int) -> list[dict]:
    """Returns an entry for each sample. The measured time also takes the place of the CPU time."""
    time = record["time"]
    return [
        {
            "name": record["case"],
            "family_index": family,
            "per_family_instance_index": 0,
            "run_name": record["case"],
            "run_type": "iteration",
            "repetitions": len(time["samples"]),
            "repetition_index": n,
            "threads": 1,
            "iterations": time["steps_per_sample"],
            "real_time": seconds * 1e9,
            "cpu_time": seconds * 1e9,
            "time_unit": "ns",
            **record.get("counters", {}),
        }
        for n, seconds in enumerate(time["samples"])
    ]


def latest_of(lines: list[dict], cases: list[str]) -> list[dict]:
    """Returns the last record of each case, in the order of the cases."""
    latest = {line.get("case"): line for line in lines if line["type"] != "environment"}
    return [latest[name] for name in cases if name in latest]


def is_timed(record: dict) -> bool:
    return record.get("status") == "ok" and "time" in record


def environment_of(lines: list[dict]) -> dict:
    return next((line for line in reversed(lines) if line["type"] == "environment"), {})


def gbench_text(lines: list[dict], cases: list[str]) -> str:
    """Returns the cases whose last record is ok and has a time as JSON, in their order. What Google Benchmark
    wrote is passed on unchanged: context, counters, failures."""
    context = environment_of(lines).get("google_benchmark") or json.dumps(context_of(environment_of(lines)))
    benchmarks: list[str] = []
    for family, record in enumerate(latest_of(lines, cases)):
        if "entries" in record:
            benchmarks += record["entries"]
        elif is_timed(record):
            benchmarks += map(json.dumps, entries(record, family))
    listed = ",\n".join(f"  {benchmark}" for benchmark in benchmarks)
    return f'{{\n "context": {context},\n "benchmarks": [\n{listed}\n ]\n}}\n'


MICROSECONDS = 1e6


def smaller_is_better(lines: list[dict], cases: list[str]) -> list[dict]:
    """Returns a number for each case, always in microseconds, so that a chart has one unit. The range is that
    of the median's 95 % interval, if there is one."""
    found = []
    commit = environment_of(lines).get("program", {}).get("commit")
    for record in filter(is_timed, latest_of(lines, cases)):
        time = time_of(record["time"]).scaled(MICROSECONDS)
        entry = {"name": record["case"], "unit": "us", "value": time.value}
        if time.has_interval:
            entry["range"] = f"{time.uncertainty:.3f}"
        entry["extra"] = "\n".join([f"{len(record['time']['samples'])} samples", *([f"commit {commit}"] if commit else [])])
        found.append(entry)
    return found
