#!/usr/bin/env python3
import json
import sys
import time

n = 0
for line in sys.stdin:
    request = json.loads(line)
    method, params = request["method"], request.get("params") or {}
    if "id" not in request:
        continue
    if method == "describe":
        answer = {"result": {"name": "tea", "tools": [{"name": "add"}, {"name": "count"}, {"name": "sleep"}]}}
    elif method != "call":
        answer = {"error": {"code": -32601, "message": f"no such method {method}"}}
    elif params["name"] == "add" and "a" not in params["args"]:
        answer = {"result": {"success": False, "error": "a is missing"}}
    elif params["name"] == "add":
        answer = {"result": {"output": {"sum": params["args"]["a"] + params["args"]["b"]}}}
    elif params["name"] == "count":
        n += 1
        answer = {"result": {"output": {"n": n}}}
    else:
        print("a line for people", flush=True)
        time.sleep(60)
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}), flush=True)
