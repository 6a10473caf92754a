#!/usr/bin/awk -f
# mawk reads blocks unless it is told to read lines: start it with -W interactive. No JSON library: the host writes no blanks.
function raw(key,   at) {
  if (!match($0, "\"" key "\":(\"[^\"]*\"|[-0-9.]+)")) return ""
  return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
}
function say(result) {
  printf "{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", raw("id"), result
  fflush()
}
raw("method") == "\"describe\"" {
  say("\"result\":{\"name\":\"tea\",\"tools\":[{\"name\":\"add\"},{\"name\":\"count\"},{\"name\":\"sleep\"}]}")
  next
}
raw("method") == "\"call\"" {
  tool = raw("name")
  if (tool == "\"add\"" && raw("a") == "") say("\"result\":{\"success\":false,\"error\":\"a is missing\"}")
  else if (tool == "\"add\"") say("\"result\":{\"output\":{\"sum\":" (raw("a") + raw("b")) "}}")
  else if (tool == "\"count\"") say("\"result\":{\"output\":{\"n\":" (++n) "}}")
  else if (tool == "\"sleep\"") system("sleep 60")
  next
}
raw("id") != "" { say("\"error\":{\"code\":-32601,\"message\":\"no such method\"}") }
