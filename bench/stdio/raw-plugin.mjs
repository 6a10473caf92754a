// The raw limit: one JSON object a line, written out by hand. It answers `describe` and `call`.
let held = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  held += chunk
  for (let at = held.indexOf('\n'); at !== -1; at = held.indexOf('\n')) {
    const { id, method, params } = JSON.parse(held.slice(0, at))
    held = held.slice(at + 1)
    const result =
      method === 'describe'
        ? { name: 'raw', version: '1.0.0', tools: [{ name: 'echo', parameters: [] }] }
        : { output: params.name === 'large' ? { text: 'x'.repeat(params.args.chars) } : params.args }
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  }
})
