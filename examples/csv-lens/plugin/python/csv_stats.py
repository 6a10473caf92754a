#!/usr/bin/env python3
"""The plugin `csv-stats` in plain Python (3.9 or later, nothing but its standard library).

It speaks the plugin protocol itself: one JSON-RPC object a line on stdin, one a line on stdout, its log on stderr,
alive until stdin ends. What it answers equals, to the last bit, what `../node.ts` answers.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

from table import Cancelled, Refusal, describe_csv

SCHEMA = Path(__file__).parent.parent / "report.schema.json"

MANIFEST = {
    "name": "csv-stats-python",
    "version": "1.0.0",
    "tools": [
        {
            "name": "describe_csv",
            "description": "Describes each column of a CSV table: counts, range, mean, quartiles, most frequent values.",
            "parameters": [
                {
                    "name": "csv",
                    "type": "string",
                    "required": True,
                    "description": "The table as text, its columns named by a header and separated by a comma, a semicolon, a tab or |.",
                },
                {
                    "name": "name",
                    "type": "string",
                    "description": "What to call the table in the report.",
                    "default": "table.csv",
                },
            ],
            "output_schema": json.loads(SCHEMA.read_text("utf-8")),
        }
    ],
}


def log(sentence: str) -> None:
    print(f"csv-stats: {sentence}", file=sys.stderr, flush=True)


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def parse(line: bytes) -> dict[str, Any] | None:
    """The line's object; a line that is none has no id to answer to, so it is only logged."""
    try:
        message = json.loads(line.decode("utf-8", "replace"), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        log(f"skipped a line of {len(line)} bytes that is not JSON: {error}")
        return None
    if not isinstance(message, dict):
        log(f"skipped a line of {len(line)} bytes that is not a JSON object")
        return None
    return message


class Session:
    """One life of the plugin: a thread reads and notes what is cancelled, the main thread works and answers."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.source = source
        self.sink = sink
        self.waiting: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.cancels: dict[str, threading.Event] = {}

    def serve(self) -> None:
        threading.Thread(target=self.read, daemon=True).start()
        while (message := self.waiting.get()) is not None:
            self.answer(message)

    def read(self) -> None:
        try:
            # readline, not iteration: each line is handed on as soon as its line feed is there.
            for line in iter(self.source.readline, b""):
                message = parse(line) if line.strip() else None
                if message is not None:
                    self.accept(message)
        finally:
            self.waiting.put(None)

    def accept(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params")
        if method == "cancel":
            wanted = call_key(params.get("id")) if isinstance(params, dict) else ""
            with self.lock:
                if wanted in self.cancels:
                    self.cancels[wanted].set()
        elif "id" not in message:
            log(f"skipped a notification: {str(method)[:60]}")
        elif method is None and ("result" in message or "error" in message):
            log("skipped an answer to a question that was never asked")
        else:
            with self.lock:
                self.cancels[call_key(message["id"])] = threading.Event()
            self.waiting.put(message)

    def answer(self, message: dict[str, Any]) -> None:
        call_id, method = message["id"], message.get("method")
        if method == "describe":
            self.reply(call_id, result=MANIFEST)
        elif method == "call":
            self.call(call_id, message.get("params"))
        elif isinstance(method, str):
            self.reply(call_id, error={"code": -32601, "message": f"unknown method: {method[:60]}"})
        else:
            self.reply(call_id, error={"code": -32600, "message": "a request needs a method, a string"})
        with self.lock:
            self.cancels.pop(call_key(call_id), None)

    def call(self, call_id: Any, params: Any) -> None:
        params = params if isinstance(params, dict) else {}
        if params.get("name") != "describe_csv":
            self.reply(call_id, error={"code": -32602, "message": f"unknown tool: {str(params.get('name'))[:60]}"})
            return
        text, name, wrong = arguments(params.get("args"))
        if wrong:
            self.reply(call_id, error={"code": -32602, "message": wrong})
            return
        with self.lock:
            cancelled = self.cancels.get(call_key(call_id), threading.Event())
        try:
            self.reply(call_id, result={"output": describe_csv(text, name, cancelled)})
        except Refusal as refusal:
            self.reply(call_id, result={"success": False, "error": str(refusal)})
        except Cancelled:
            self.reply(call_id, result={"success": False, "error": "cancelled"})
        except Exception as error:  # one failed call must not end the process
            log(f"a call failed: {error!r}")
            self.reply(call_id, error={"code": -32603, "message": f"the tool failed: {type(error).__name__}"})

    def reply(self, call_id: Any, **outcome: Any) -> None:
        # Escaped to ASCII, so that a lone surrogate of the table needs no encoding of its own.
        text = json.dumps({"jsonrpc": "2.0", "id": call_id, **outcome}, allow_nan=False, separators=(",", ":"))
        self.sink.write(text.encode("ascii") + b"\n")
        self.sink.flush()


def call_key(call_id: Any) -> str:
    """Ids are compared with their type: 1 and "1" are two."""
    return json.dumps(call_id)


def arguments(args: Any) -> tuple[str, str, str | None]:
    """The table's text and name, and a sentence about what is wrong with them. A null name counts as absent."""
    if not isinstance(args, dict):
        return "", "", "args must be an object"
    text, name = args.get("csv"), args.get("name")
    if not isinstance(text, str):
        return "", "", "csv is required and must be a string"
    if not (name is None or isinstance(name, str)):
        return "", "", "name must be a string"
    return text, "table.csv" if name is None else name, None


if __name__ == "__main__":
    try:
        Session(sys.stdin.buffer, sys.stdout.buffer).serve()
    except BrokenPipeError:
        # Nobody reads any more. An ordinary exit would wait for the thread that still reads.
        os._exit(0)
