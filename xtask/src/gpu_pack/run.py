#!/usr/bin/env python3
"""Runs the programs of this folder on a GPU, and writes gpu.json and gpu.log into $OUT (./out if not set).

    run.sh [tests|sanitizer|examples|bench|probes|all] [--quick] [--resume] [--limit SECONDS]

tests      the test programs
sanitizer  the suite, the examples and the benchmarks at small size under compute-sanitizer, if there is one
examples   the examples
bench      the benchmarks on CUDA and on the CPU
probes     CUDA C by hand that swathe does not write, with CuPy if it is there
all        all of them, in this order (if nothing is said)

A failure does not end the run. After --limit seconds (540) nothing new is started; --resume goes on from there and
repeats nothing that has a result. Exit status: 0 all well, 1 something failed, 3 the time was over before the end.
"""

import argparse
import ctypes
import datetime
import glob
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.path.join(HERE, "bin")
OUT = os.path.abspath(os.environ.get("OUT", "out"))
TOOLS = ["memcheck", "racecheck", "initcheck"]
PARTS = ["tests", "sanitizer", "examples", "bench", "probes"]
FINDING = 86


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("part", nargs="?", default="all", choices=PARTS + ["all"])
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--resume", action="store_true")
    ap.add_argument("--limit", type=float, default=540)
    run = Run(ap.parse_args())
    run.machine()
    parts = PARTS if run.args.part == "all" else [run.args.part]
    for part in parts:
        getattr(run, part)()
    sys.exit(run.end(parts))


class Run:
    def __init__(self, args):
        self.args = args
        self.deadline = time.monotonic() + args.limit
        self.incomplete = []
        os.makedirs(OUT, exist_ok=True)
        self.path = os.path.join(OUT, "gpu.json")
        self.log = open(os.path.join(OUT, "gpu.log"), "a", encoding="utf-8")
        self.doc = {}
        # The parts of a run may come one by one; each replaces its own results.
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as f:
                self.doc = json.load(f)
        with open(os.path.join(HERE, "programs.json"), encoding="utf-8") as f:
            self.programs = json.load(f)
        self.env = dict(os.environ, SWATHE_TEST_GPU="1", RUST_BACKTRACE="1")
        self.env.setdefault("SWATHE_CACHE_DIR", os.path.join(OUT, "cache"))
        self.lock = threading.Lock()

    def say(self, text):
        print(text, flush=True)
        self.log.write(text + "\n")
        self.log.flush()

    def machine(self):
        query = "name,driver_version,compute_cap,memory.total"
        smi = output(["nvidia-smi"])
        names = output(["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader"])
        values = (names or "").splitlines()[:1]
        device = dict(zip(query.split(","), (v.strip() for v in values[0].split(",")))) if values else None
        self.doc.update(
            date=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), device=device,
            driver=device and device["driver_version"], nvrtc=nvrtc(),
            sanitizer_version=output([sanitizer() or "none", "--version"]),
            cpu=cpu(), cores=os.cpu_count(), libc=" ".join(platform.libc_ver()), kernel=platform.release(),
            revision=self.programs["revision"], left_out=self.programs["left_out"])
        self.say(smi or "nvidia-smi: not found")
        self.say(f"NVRTC {self.doc['nvrtc']}, swathe {self.doc['revision']}, {self.doc['cpu']}, {self.doc['libc']}")

    def start(self, part):
        self.say(f"\n== {part}")
        if not self.args.resume or part not in self.doc:
            self.doc[part] = {}
        return self.doc[part]

    def program(self, part, name, command, limit, read, **env):
        """Runs a program if it has no result yet, and writes its result down."""
        results = self.doc[part]
        if name in results:
            return
        left = self.deadline - time.monotonic()
        if left < 5:
            self.incomplete.append(f"{part}: {name}")
            return
        started = time.monotonic()
        text, status = run(command, dict(self.env, **env), min(limit, left))
        seconds = round(time.monotonic() - started, 2)
        with self.lock:
            self.log.write(f"\n$ {' '.join([f'{k}={v}' for k, v in env.items()] + command)}\n{text}")
            self.log.flush()
            self.told(part, name, text, status, seconds, left < limit, read)

    def told(self, part, name, text, status, seconds, short, read):
        """Writes a program's result down."""
        results = self.doc[part]
        if status is None and short:
            # It may have the time that it needs in the next slice.
            self.incomplete.append(f"{part}: {name}")
            self.say(f"  {name}: out of time")
            return
        result = dict(seconds=seconds, status=status, timed_out=status is None, **read(text))
        result["ok"] = status == 0 and result.get("ok", True)
        results[name] = result
        shown = {k: v for k, v in result.items() if k not in ("ok", "report", "seconds") and v not in (None, [], False)}
        self.say(f"  {'ok  ' if result['ok'] else 'FAIL'} {name}: {seconds} s {json.dumps(shown)[:300]}")
        self.save()

    def tests(self):
        self.start("tests")
        suite = os.path.join(BIN, "suite_cuda")
        # Compiling takes most of the time, and processors; the suite has the most kernels.
        with ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 2)) as pool:
            jobs = []
            for topic in self.programs["topics"]:
                command = [suite, "--exact", "every_topic"]
                job = pool.submit(self.program, "tests", f"suite_cuda {topic}", command, 300, counts, SWATHE_TOPIC=topic)
                jobs.append(job)
            for name, program in self.programs["tests"].items():
                skips = program["skip"] + (["every_topic"] if name == "suite_cuda" else [])
                command = [os.path.join(BIN, name)] + [word for skip in skips for word in ("--skip", skip)]
                jobs.append(pool.submit(self.program, "tests", name, command, 300, counts))
            for job in jobs:
                job.result()

    def sanitizer(self):
        tool = sanitizer()
        self.start("sanitizer")
        if tool is None:
            self.say("  compute-sanitizer: not found")
            return
        first = [("suite_cuda", [os.path.join(BIN, "suite_cuda")])]
        benches = [os.path.join(BIN, "swathe-benches"), "--smoke", "--device", "cuda", "--threads", "2", "--workloads"]
        others = self.examples_small() + [("benches", benches + self.programs["workloads"])]
        for kind in TOOLS[:1] if self.args.quick else TOOLS:
            for name, command in first + others:
                full = [tool, "--tool", kind, "--error-exitcode", str(FINDING), "--target-processes", "all"]
                if kind == "memcheck":
                    # The tests provoke failures of the driver to see them reported.
                    full += ["--report-api-errors", "no", "--leak-check", "full"]
                self.program("sanitizer", f"{kind} {name}", full + command, 300, findings)

    def examples_small(self):
        return [(name, self.example(name, example["small"])) for name, example in self.programs["examples"].items()]

    def example(self, name, options):
        command = [os.path.join(BIN, name), "--device", "cuda"] + options.split()
        if self.programs["examples"][name]["pictures"]:
            command += ["--no-gif", "--out", os.path.join(OUT, "pictures", name)]
        return command

    def examples(self):
        self.start("examples")
        for name, example in self.programs["examples"].items():
            options = example["small"] if self.args.quick else "--frames 20" if example["pictures"] else ""
            self.program("examples", name, self.example(name, options), 120, said)

    def bench(self):
        self.start("bench")
        for device in ("cuda", "cpu"):
            path = os.path.join(OUT, f"bench-{device}.json")
            if os.path.exists(path) and device not in self.doc["bench"]:
                os.remove(path)
            options = ["--size", "small", "--rounds", "1"] if self.args.quick else []

            def read(text, path=path):
                if not os.path.exists(path):
                    return dict(tail=text[-2000:])
                with open(path, encoding="utf-8") as f:
                    return dict(report=json.load(f))
            command = [os.path.join(BIN, "swathe-benches"), "--device", device, "--json", path] + options
            self.program("bench", device, command, 500, read)

    def probes(self):
        self.start("probes")
        if output([sys.executable, "-c", "import cupy"]) is None:
            self.say("  CuPy: not found")
            return
        self.program("probes", "probes", [sys.executable, os.path.join(HERE, "probes.py")], 200, said, OUT=OUT)

    def save(self):
        part = self.path + ".part"
        with open(part, "w", encoding="utf-8") as f:
            json.dump(self.doc, f, indent=1)
            f.write("\n")
        os.replace(part, self.path)

    def end(self, parts):
        failed = [f"{part}: {name}" for part in parts for name, result in self.doc[part].items() if not result["ok"]]
        self.doc["incomplete"] = self.incomplete
        self.save()
        self.say(f"\n{sum(len(self.doc[part]) for part in parts)} programs, {len(failed)} failed, "
                 f"{len(self.incomplete)} not run")
        for line in failed:
            self.say(f"  failed: {line}")
        for line in self.incomplete:
            self.say(f"  not run: {line} (--resume)")
        self.say(f"results in {self.path}")
        return 3 if self.incomplete else 1 if failed else 0


def run(command, env, limit):
    """All that a program prints, and its exit status; None if it had to be ended."""
    try:
        child = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, start_new_session=True)
    except OSError as e:
        return f"cannot start: {e}\n", 127
    try:
        text, _ = child.communicate(timeout=limit)
        status = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        text, _ = child.communicate()
        status = None
    return text.decode("utf-8", "replace"), status


def counts(text):
    """Numbers of tests, and the names of those that failed."""
    found = re.findall(r"^test result: \S+ (\d+) passed; (\d+) failed; (\d+) ignored", text, re.M)
    passed, failed, ignored = (sum(int(numbers[k]) for numbers in found) for k in range(3))
    names = re.findall(r"^test (\S+) \.\.\. FAILED", text, re.M)
    # A program without a result has crashed.
    return dict(passed=passed, failed=failed, ignored=ignored, failures=names, ok=bool(found))


def findings(text):
    """What compute-sanitizer found: its errors, and the first of them."""
    summary = re.findall(r"(?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard)", text)
    number = sum(int(a or b) for a, b in summary)
    lines = [line for line in text.splitlines() if line.startswith("=========")]
    first = [line for line in lines if not re.search(r"COMPUTE-SANITIZER|SUMMARY", line)][:20]
    return dict(findings=number if summary else None, first=first, ok=bool(summary) and number == 0)


def said(text):
    return dict(tail=[line for line in text.splitlines() if line.strip()][-3:])


def output(command):
    try:
        r = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return r.stdout.strip() if r.returncode == 0 else None


def toolkits():
    roots = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
    return [r for r in roots if r] + sorted(glob.glob("/usr/local/cuda*"), key=lambda p: (p.count("-"), p))


def sanitizer():
    places = [os.path.join(r, d, "compute-sanitizer") for r in toolkits() for d in ("bin", "compute-sanitizer")]
    return next((p for p in [shutil.which("compute-sanitizer")] + places if p and os.path.isfile(p)), None)


def nvrtc():
    """Version and file of the library that is found first."""
    names = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]
    folders = [os.path.join(r, d) for r in toolkits() for d in ("lib64", "lib", "targets/x86_64-linux/lib")]
    files = [os.path.join(f, n) for f in folders for n in names if os.path.exists(os.path.join(f, n))]
    given = os.environ.get("SWATHE_NVRTC")
    for name in [given] if given else names + files:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        major, minor = ctypes.c_int(), ctypes.c_int()
        library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        return f"{major.value}.{minor.value} ({name})"
    return None


def cpu():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


if __name__ == "__main__":
    main()
