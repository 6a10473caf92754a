#!/usr/bin/env lua5.4
-- No JSON library: patterns are enough for what the host writes.
io.stdout:setvbuf('line')
local n = 0
for line in io.lines() do
  local id = line:match('"id":("[^"]*")') or line:match('"id":(%d+)')
  local method, tool = line:match('"method":"([%w/]+)"'), line:match('"name":"(%w+)"')
  local a, b = line:match('"a":([%-%d%.]+)'), line:match('"b":([%-%d%.]+)')
  local answer = '"error":{"code":-32601,"message":"no such method"}'
  if method == 'describe' then
    answer = '"result":{"name":"tea","tools":[{"name":"add"},{"name":"count"},{"name":"sleep"}]}'
  elseif method == 'call' and tool == 'count' then
    n = n + 1
    answer = ('"result":{"output":{"n":%d}}'):format(n)
  elseif method == 'call' and tool == 'sleep' then
    os.execute('sleep 60')
  elseif method == 'call' and a then
    answer = ('"result":{"output":{"sum":%g}}'):format(a + b)
  elseif method == 'call' then
    answer = '"result":{"success":false,"error":"a is missing"}'
  end
  if id then print(('{"jsonrpc":"2.0","id":%s,%s}'):format(id, answer)) end
end
