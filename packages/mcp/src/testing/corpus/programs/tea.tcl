#!/usr/bin/env tclsh
# No JSON library: expressions are enough for what the host writes.
fconfigure stdout -buffering line -encoding utf-8
set n 0
while {[gets stdin line] >= 0} {
  if {![regexp {"id":("[^"]*"|\d+)} $line -> id]} continue
  set answer {"error":{"code":-32601,"message":"no such method"}}
  set method ""; set tool ""
  regexp {"method":"([\w/]+)"} $line -> method
  regexp {"name":"(\w+)"} $line -> tool
  if {$method eq "describe"} {
    set answer {"result":{"name":"tea","tools":[{"name":"add"},{"name":"count"},{"name":"sleep"}]}}
  } elseif {$method eq "call"} {
    switch $tool {
      count { set answer "\"result\":{\"output\":{\"n\":[incr n]}}" }
      sleep { after 60000 }
      default {
        if {[regexp {"a":([-\d.]+)} $line -> a] && [regexp {"b":([-\d.]+)} $line -> b]} {
          set answer "\"result\":{\"output\":{\"sum\":[expr {$a + $b}]}}"
        } else { set answer {"result":{"success":false,"error":"a is missing"}} }
      }
    }
  }
  puts "{\"jsonrpc\":\"2.0\",\"id\":$id,$answer}"
}
