"""Runs the plugin as a host does, and looks at the lines that it writes."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path


def ask(method, **params):
    """Sends one request to a new process, and returns its result."""
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    with subprocess.Popen(
        [sys.executable, "plugin.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parent
    ) as plugin:
        plugin.stdin.write(request.encode() + b"\n")
        plugin.stdin.flush()
        for line in plugin.stdout:
            message = json.loads(line)
            if message.get("id") == 1:
                plugin.stdin.close()
                return message["result"]
    raise AssertionError("the plugin ended without a response")


class PluginTest(unittest.TestCase):
    def test_describes_its_tools(self):
        tools = [tool["name"] for tool in ask("describe")["tools"]]
        self.assertEqual(tools, ["compare_texts", "find_duplicates"])

    def test_compares_texts(self):
        result = ask("call", name="compare_texts", args={"before": "a\nb", "after": "a\nc"})
        changed = {"removed": [{"line": 2, "text": "b"}], "added": [{"line": 2, "text": "c"}]}
        self.assertEqual(result["output"], {"same": 1, **changed})

    def test_finds_duplicates(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in [("one", "same"), ("two", "same"), ("three", "else")]:
                Path(folder, name).write_text(text, encoding="utf-8")
            output = ask("call", name="find_duplicates", args={"folder": folder})["output"]
            self.assertEqual((output["files"], output["wasted_bytes"]), (3, 4))

    def test_says_what_is_wrong_with_an_argument(self):
        result = ask("call", name="find_duplicates", args={"folder": "here"})
        self.assertEqual(result, {"success": False, "error": "folder must be an absolute path, got 'here'"})


if __name__ == "__main__":
    unittest.main()
