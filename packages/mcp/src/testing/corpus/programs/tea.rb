#!/usr/bin/env ruby
require 'json'
$stdout.sync = true
n = 0
$stdin.each_line do |line|
  request = JSON.parse(line)
  next unless request.key?('id')
  tool, args = request.dig('params', 'name'), request.dig('params', 'args')
  answer =
    if request['method'] == 'describe'
      { result: { name: 'tea', tools: %w[add count sleep].map { |name| { name: name } } } }
    elsif request['method'] != 'call' then { error: { code: -32_601, message: 'no such method' } }
    elsif tool == 'count' then { result: { output: { n: n += 1 } } }
    elsif tool == 'sleep' then sleep 60
    elsif args['a'] then { result: { output: { sum: args['a'] + args['b'] } } }
    else { result: { success: false, error: 'a is missing' } }
    end
  puts JSON.generate({ jsonrpc: '2.0', id: request['id'], **answer })
end
