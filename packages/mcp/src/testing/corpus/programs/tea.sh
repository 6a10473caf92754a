#!/bin/bash
# Bash with jq: one jq reads a line, one writes the answer.
n=0
tools='[{"name":"add","parameters":[{"name":"a","type":"number"},{"name":"b","type":"number"}]},{"name":"count"},{"name":"sleep"}]'
while IFS= read -r line; do
  { read -r id; read -r method; read -r tool; } < <(jq -c '(.id, .method, .params.name)' <<<"$line")
  case "$method $tool" in
    '"describe" '*) result=$(jq -cn --argjson t "$tools" '{name: "tea", tools: $t}') ;;
    '"call" "add"') result=$(jq -c '.params.args | if .a then {output: {sum: (.a + .b)}} else {success: false, error: "a is missing"} end' <<<"$line") ;;
    '"call" "count"') result="{\"output\":{\"n\":$((++n))}}" ;;
    '"call" "sleep"') sleep 60 ;;
    *) [ "$id" != null ] && printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}\n' "$id"
      continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
