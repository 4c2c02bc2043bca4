"""Records in the format that Google Benchmark writes with --benchmark_out, so that its compare.py reads them."""

from __future__ import annotations


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
    """One a sample. There is no CPU time: its place holds the measured time."""
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
        }
        for n, seconds in enumerate(time["samples"])
    ]


def gbench(lines: list[dict], cases: list[str]) -> dict:
    """Of the cases those whose last record is ok and has a time, in their order."""
    environment = next((line for line in reversed(lines) if line["type"] == "environment"), {})
    latest = {line.get("case"): line for line in lines if line["type"] != "environment"}
    found = [latest[name] for name in cases if name in latest]
    timed = [record for record in found if record.get("status") == "ok" and "time" in record]
    benchmarks = [entry for family, record in enumerate(timed) for entry in entries(record, family)]
    return {"context": context_of(environment), "benchmarks": benchmarks}
