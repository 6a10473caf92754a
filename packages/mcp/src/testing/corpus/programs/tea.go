package main

import (
	"bufio"
	"encoding/json"
	"os"
	"time"
)

type request struct {
	ID     any    `json:"id"`
	Method string `json:"method"`
	Params struct {
		Name string             `json:"name"`
		Args map[string]float64 `json:"args"`
	} `json:"params"`
}

func main() {
	n := 0
	lines, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked request
		if json.Unmarshal(line, &asked) != nil || asked.ID == nil {
			continue
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": asked.ID}
		a, hasA := asked.Params.Args["a"]
		switch tool := asked.Params.Name; {
		case asked.Method == "describe":
			answer["result"] = json.RawMessage(`{"name":"tea","tools":[{"name":"add"},{"name":"count"},{"name":"sleep"}]}`)
		case asked.Method != "call":
			answer["error"] = json.RawMessage(`{"code":-32601,"message":"no such method"}`)
		case tool == "count":
			n++
			answer["result"] = map[string]any{"output": map[string]int{"n": n}}
		case tool == "sleep":
			time.Sleep(time.Minute)
		case hasA:
			answer["result"] = map[string]any{"output": map[string]float64{"sum": a + asked.Params.Args["b"]}}
		default:
			answer["result"] = map[string]any{"success": false, "error": "a is missing"}
		}
		out.Encode(answer)
	}
}
