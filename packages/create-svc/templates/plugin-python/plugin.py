#!/usr/bin/env python3
"""Two tools in plain Python: the wire is at the bottom, the tools are above it."""

import difflib
import hashlib
import json
import os
import sys
import threading
import time

TOLD_EVERY_S = 0.2
GROUPS_MAX = 100


class Cancelled(Exception):
    """The call is to stop."""


class Call:
    """A call under way: tells its progress, and knows when it is to stop."""

    def __init__(self, call_id, deadline_ms):
        self.id = call_id
        self.deadline_ms = deadline_ms
        self.reason = None

    def cancel(self, reason):
        self.reason = str(reason or "cancelled")

    def check(self):
        """Raises where the call is to stop: ask it often."""
        if self.reason is not None:
            raise Cancelled(self.reason)
        if time.time() * 1000 >= self.deadline_ms:
            raise Cancelled("the deadline has passed")

    def progress(self, data):
        send({"method": "progress", "params": {"id": self.id, "type": "progress", "data": data}})


def compare_texts(args, _call):
    before, after = text_of(args, "before").split("\n"), text_of(args, "after").split("\n")
    removed, added, same = [], [], 0
    for kind, a, a_end, b, b_end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            same += a_end - a
            continue
        removed += [{"line": at + 1, "text": before[at]} for at in range(a, a_end)]
        added += [{"line": at + 1, "text": after[at]} for at in range(b, b_end)]
    return {"same": same, "removed": removed, "added": added}


def find_duplicates(args, call):
    folder, min_bytes = text_of(args, "folder"), args.get("min_bytes", 1)
    if not os.path.isabs(folder):
        raise ValueError(f"folder must be an absolute path, got {folder!r}")
    if not os.path.isdir(folder):
        raise ValueError(f"there is no folder {folder!r}")
    if isinstance(min_bytes, bool) or not isinstance(min_bytes, int):
        raise ValueError("min_bytes must be a whole number")

    by_size, files = {}, 0
    for place, _folders, names in os.walk(folder):
        for name in names:
            # At each file: a folder may hold very many.
            call.check()
            file = os.path.join(place, name)
            if os.path.islink(file) or not os.path.isfile(file):
                continue
            size = os.path.getsize(file)
            if size >= min_bytes:
                files += 1
                by_size.setdefault(size, []).append(file)

    candidates = [(size, file) for size, same in by_size.items() if len(same) > 1 for file in same]
    by_content, told_at = {}, float("-inf")
    for done, (size, file) in enumerate(candidates):
        if time.monotonic() - told_at >= TOLD_EVERY_S:
            call.progress({"done": done, "of": len(candidates), "file": file})
            told_at = time.monotonic()
        by_content.setdefault((size, hash_of(file, call)), []).append(file)

    groups = [{"bytes": size, "files": sorted(same)} for (size, _), same in by_content.items() if len(same) > 1]
    groups.sort(key=waste, reverse=True)
    return {"files": files, "wasted_bytes": sum(map(waste, groups)), "groups": groups[:GROUPS_MAX]}


def hash_of(file, call):
    digest = hashlib.sha256()
    with open(file, "rb") as content:
        while piece := content.read(1 << 20):
            call.check()
            digest.update(piece)
    return digest.digest()


def waste(group):
    return group["bytes"] * (len(group["files"]) - 1)


def text_of(args, name):
    value = args.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} must be text")
    return value


def parameter(name, kind, description, **more):
    return {"name": name, "type": kind, "description": description, **more}


def array(items):
    return {"type": "array", "items": items}


def members(**properties):
    return {"type": "object", "properties": properties, "required": list(properties)}


TEXT, COUNT = {"type": "string"}, {"type": "integer"}
LINES = array(members(line=COUNT, text=TEXT))

# Each tool: what it does, what it takes, what it returns, and the function.
TOOLS = {
    "compare_texts": (
        "Compares two texts line by line and answers the lines that were removed and added.",
        [
            parameter("before", "string", "The first text.", required=True),
            parameter("after", "string", "The second text.", required=True),
        ],
        members(same=COUNT, removed=LINES, added=LINES),
        compare_texts,
    ),
    "find_duplicates": (
        "Finds files with the same content in a folder and all folders in it. May take minutes: call it as a job.",
        [
            parameter("folder", "string", "An absolute path on the machine of the runner.", required=True),
            parameter("min_bytes", "integer", "Smaller files are left out.", default=1),
        ],
        members(files=COUNT, wasted_bytes=COUNT, groups=array(members(bytes=COUNT, files=array(TEXT)))),
        find_duplicates,
    ),
}
MANIFEST = {
    "name": "{{name}}",
    "version": "1.0.0",
    "tools": [
        {"name": name, "description": said, "parameters": takes, "output_schema": gives}
        for name, (said, takes, gives, _) in TOOLS.items()
    ],
}

# The wire: one JSON object a line, in on stdin, out on stdout. What is printed elsewhere goes to stderr, the log.
METHOD_NOT_FOUND, INVALID_PARAMS = -32601, -32602
out, out_lock = sys.stdout.buffer, threading.Lock()
sys.stdout = sys.stderr
calls = {}


def send(message):
    line = json.dumps({"jsonrpc": "2.0", **message}, allow_nan=False).encode() + b"\n"
    with out_lock:
        out.write(line)
        out.flush()


def run(call, tool, args):
    """One call, in a thread of its own: stdin is read on, so that a cancel is heard."""
    try:
        result = {"output": tool(args, call)}
    except Exception as error:
        result = {"success": False, "error": str(error) or type(error).__name__}
    calls.pop(call.id, None)
    send({"id": call.id, "result": result})


def refuse(request_id, code, sentence):
    send({"id": request_id, "error": {"code": code, "message": sentence}})


def start(request_id, params):
    name, args = params.get("name"), params.get("args", {})
    if not isinstance(name, str) or name not in TOOLS:
        return refuse(request_id, INVALID_PARAMS, f"there is no tool {name!r}")
    if not isinstance(args, dict):
        return refuse(request_id, INVALID_PARAMS, "args must be an object")
    call = calls[request_id] = Call(request_id, params.get("deadline_ms", float("inf")))
    threading.Thread(target=run, args=(call, TOOLS[name][3], args), daemon=True).start()


def is_id(value):
    return isinstance(value, (str, int, float))


def take(message):
    request_id, method = message.get("id"), message.get("method")
    params = message.get("params") if isinstance(message.get("params"), dict) else {}
    if method == "cancel" and is_id(params.get("id")):
        call = calls.get(params["id"])
        if call:
            call.cancel(params.get("reason"))
    elif not is_id(request_id) or not isinstance(method, str):
        print("skipped a line that is no request")
    elif method == "describe":
        send({"id": request_id, "result": MANIFEST})
    elif method == "call":
        start(request_id, params)
    else:
        refuse(request_id, METHOD_NOT_FOUND, f"there is no method {method}")


def main():
    # Bytes, because text would be split at more than the line feed.
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if isinstance(message, dict):
            take(message)
        else:
            print("skipped a line that is not a JSON object")


if __name__ == "__main__":
    main()
