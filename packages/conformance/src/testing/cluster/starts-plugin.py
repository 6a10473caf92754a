# The same as crash/starts-plugin.ts, in Python, which is up in a tenth of the time: it notes each start of its tool in a
# file before it does anything else.
import json
import os
import sys
import time


def write(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


parameters = [
    {"name": "mark", "type": "string", "required": True},
    {"name": "waitMs", "type": "integer", "required": True},
]
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "describe":
        tools = [{"name": "start", "parameters": parameters}]
        write({"id": message["id"], "result": {"name": "starts", "tools": tools}})
    elif message.get("method") == "call":
        args = message["params"]["args"]
        with open(os.environ["STARTS"], "a") as file:
            file.write(args["mark"] + "\n")
        time.sleep(args["waitMs"] / 1000)
        write({"id": message["id"], "result": {"output": {"mark": args["mark"]}}})
