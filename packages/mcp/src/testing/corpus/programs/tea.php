#!/usr/bin/env php
<?php
$n = 0;
while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true);
    if (!isset($request['id'])) continue;
    $tool = $request['params']['name'] ?? '';
    $args = $request['params']['args'] ?? [];
    $answer = match (true) {
        $request['method'] === 'describe' => ['result' => ['name' => 'tea', 'tools' => [['name' => 'add'], ['name' => 'count'], ['name' => 'sleep']]]],
        $request['method'] !== 'call' => ['error' => ['code' => -32601, 'message' => 'no such method']],
        $tool === 'count' => ['result' => ['output' => ['n' => ++$n]]],
        $tool === 'sleep' => ['result' => sleep(60)],
        isset($args['a']) => ['result' => ['output' => ['sum' => $args['a'] + $args['b']]]],
        default => ['result' => ['success' => false, 'error' => 'a is missing']],
    };
    echo json_encode(['jsonrpc' => '2.0', 'id' => $request['id']] + $answer), "\n";
}
