import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { limits } from '../limits/index.ts'
import { meantLines, meantSentence, notUtf8, withoutEnd, withoutId } from './meant-line.ts'

const ID = 'inv_1'
const waits = (id: unknown) => id === ID || id === 3
const judge = (line: string | Uint8Array) =>
  meantLines()(typeof line === 'string' ? Buffer.from(line) : line, waits)
const head = `{"jsonrpc":"2.0","id":"${ID}","result":{"output":`
const reply = `${head}1}}`

describe('a line that is meant as a message', () => {
  verifies.each('decision.lines.meant')([
    [
      'NaN',
      `${head}NaN}}`,
      'has NaN as a value; JSON has no such number (at character 50)',
      'allow_nan=False',
    ],
    ['Infinity', `${head}-Infinity}}`, 'has -Infinity as a value', 'allow_nan=False'],
    ['inf of C', `${head}[1,inf]}}`, 'has inf as a value', 'allow_nan=False'],
    ['nan of C', `${head}-nan}}`, 'has -nan as a value', 'allow_nan=False'],
    ['None', `${head}None}}`, 'has None as a value; write null', 'JSON library'],
    ['undefined', `${head}undefined}}`, 'has undefined as a value; write null', 'JSON library'],
    ['a comma too many', `${head}[1,2,]}}`, 'has a comma before ]', 'JSON library'],
    [
      'repr of Python',
      `{'jsonrpc': '2.0', 'id': '${ID}', 'result': {'output': 1}}`,
      "' quotes",
      'json.dumps',
    ],
    ['repr without jsonrpc', `{'id': '${ID}', 'result': {'output': 1}}`, "' quotes", 'json.dumps'],
    ['bytes of Python', `b'${reply}'`, 'has "b\'" before the message', 'beginning of a line'],
    [
      'inspect of Node',
      `{ jsonrpc: '2.0', id: '${ID}', result: { output: 1 } }`,
      'has the name jsonrpc',
      'JSON.stringify',
    ],
    ['inspect of Ruby', `{"jsonrpc"=>"2.0", "id"=>"${ID}", "result"=>{}}`, 'has no colon', 'JSON library'],
    ['symbols of Ruby', `{:jsonrpc=>"2.0", :id=>"${ID}", :result=>{}}`, 'has : where a name', 'JSON library'],
    ['a map of Java', `{jsonrpc=2.0, id=${ID}, result={output=1}}`, 'has the name jsonrpc', 'JSON library'],
    ['a map of Go', `map[id:${ID} jsonrpc:2.0 result:map[output:1]]`, 'has map as a value', 'JSON library'],
    [
      'a map of Elixir',
      `%{"jsonrpc" => "2.0", "id" => "${ID}"}`,
      'has % where a value should be',
      'JSON library',
    ],
    ['JSON in JSON', JSON.stringify(reply), 'is a text with a message in it', 'twice'],
    ['a batch', `[${reply}]`, 'is a list of messages (a batch)', 'a line of its own'],
    ['two messages', `${reply}${reply}`, 'has two messages', 'line feed'],
    [
      'a notification and a reply',
      `{"jsonrpc":"2.0","method":"host/x","id":1}${reply}`,
      'has two messages',
      'line feed',
    ],
    ['text before it', `Loading… ${reply}`, 'has "Loading…" before the message', 'stderr'],
    ['a prompt before it', `> ${reply}`, 'has ">" before the message', 'stderr'],
    ['colours around it', `\u001b[32m${reply}\u001b[0m`, 'has "\\\\u001b[32m" before', 'stderr'],
    ['a stream of events', `data: ${reply}`, 'has "data:" before the message', 'stderr'],
    ['a record separator', `\u001e${reply}`, 'has "\\\\u001e" before the message', 'stderr'],
    ['text behind it', `${reply} done`, 'goes on after its end with done', 'stderr'],
    ['a NUL behind it', `${reply}\0`, 'has the character U+0000', 'JSON library'],
    ['half of it', `${head}"the beg`, 'has a text that does not end', 'line break'],
    ['the beginning of it', `${head}[1,`, 'ends too early', 'line break'],
    ['a tab in a text', `${head}"a\tb"}}`, 'has a tab in a text', 'escaped'],
    ['a control in a text', `${head}"a\u0001b"}}`, 'has the control character U+0001', 'escaped'],
    ['a backslash', `${head}"C:\\dir"}}`, 'has \\d in a text', 'JSON library'],
    ['a comment', `${head}1}} // done`, 'has a comment', 'JSON library'],
    ['an indent', '  "jsonrpc": "2.0",', 'is one of several lines of a message', 'without an indent'],
    ['an indent of tabs', '\t"jsonrpc": "2.0",', 'is one of several lines', 'without an indent'],
    ['an indent with the id', `  "id": "${ID}",`, 'is one of several lines', 'without an indent'],
    ['an inspected indent', "  jsonrpc: '2.0',", 'is one of several lines', 'without an indent'],
    ['print_r of PHP', '    [jsonrpc] => 2.0', 'is one of several lines', 'without an indent'],
    ['var_dump of PHP', '  ["jsonrpc"]=>', 'is one of several lines', 'without an indent'],
    ['a number as id', '{"jsonrpc":"2.0","id":3,"result":NaN}', 'has NaN', 'allow_nan=False'],
    ['no id in sight', '{"jsonrpc":"2.0","result":NaN}', 'has NaN', 'allow_nan=False'],
    [
      'an id behind the result',
      `{"jsonrpc":"2.0","result":{"id":9,"a":NaN},"id":"${ID}"}`,
      'has NaN',
      'allow_nan',
    ],
    [
      'a request of its own',
      '{"jsonrpc":"2.0","id":9,"method":"llm/complete","params":{"a":NaN}}',
      'has NaN',
      'allow',
    ],
  ])('is told apart: %s', (_, line, what, hint) => {
    const found = judge(line)
    expect(found?.what).toContain(what)
    expect(found?.hint).toContain(hint)
  })

  verifies.each('decision.lines.meant')([
    ['Latin-1', Buffer.from(`${head}"caf\u00e9"}}`, 'latin1'), 'is not UTF-8: it has the byte 0xe9'],
    ['UTF-16', Buffer.from(reply, 'utf16le'), 'is UTF-16'],
    ['UTF-16 behind the line feed', Buffer.from(`\n${reply}`, 'utf16le').subarray(1), 'is UTF-16'],
    ['UTF-16, the other way', Buffer.from(reply, 'utf16le').swap16(), 'is UTF-16'],
  ])('is told apart by its bytes: %s', (_, line, what) => expect(judge(line)?.what).toContain(what))

  verifies('decision.lines.meant', 'is a frame with headers', () => {
    for (const headers of [
      ['Content-Length: 52\r'],
      ['Content-Length: 5', 'Content-Type: a/b; charset=utf-8\r'],
    ]) {
      const lines = meantLines()
      for (const one of headers) expect(lines(Buffer.from(one), waits)).toBeUndefined()
      expect(lines(Buffer.from('\r'), waits)?.what).toContain('Content-Length')
    }
  })

  it('shows no more than its beginning, in which everything is seen', () => {
    const found = judge(`${head}"\u202e\u0007${'x'.repeat(10_000)}`)
    expect(found?.shown).toContain('\\u202e\\u0007x')
    expect(found?.shown.length).toBeLessThanOrEqual(limits.MEANT_SHOWN_CHARS + 1)
    expect(found && meantSentence('The plugin "a"', found)).toMatch(/^The plugin "a" wrote .* It begins: \{/)
  })

  it.each([
    ['a whole message', reply, true],
    ['the beginning of one', head, false],
    ['JSON that is none', '{"level":30}', false],
    ['an answer to another', reply.replace(ID, 'inv_2'), false],
  ])('is told where its line does not end: %s', (_, line, isMeant) => {
    const found = withoutEnd(Buffer.from(line), waits)
    expect(found?.what).toBe(isMeant ? 'does not end with a line feed' : undefined)
  })

  it.each([
    ['brackets', `${head}${'['.repeat(200_000)}`, 'nests deeper than 1000 levels'],
    ['the beginnings of maps', 'map['.repeat(65_000), undefined],
    ['ids', `${head}${'"id" '.repeat(50_000)}`, 'has no comma'],
  ])('is judged at once, however long it is: %s', (_, line, what) => {
    const found = judge(line)?.what
    if (what === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(what)
  })

  it('says which byte is not UTF-8', () => {
    expect(notUtf8(Buffer.from(`${head}"\u00fc"}}`, 'latin1'))).toMatchObject({
      what: 'is not UTF-8: it has the byte 0xfc',
      ids: [ID],
    })
  })
})

describe('noise', () => {
  verifies.each('decision.lines.noise')(
    [
      '',
      '\r',
      'debug: hello',
      '(node:4711) ExperimentalWarning: SQLite is an experimental feature',
      '(Use `node --trace-warnings ...` to show where the warning was created)',
      'npm notice New major version of npm available! 10.8.2 -> 11.0.0',
      'npm warn deprecated inflight@1.0.6: This module is not supported',
      '   ____  ___ _',
      '  / ___|/ _ \\ |  {{ }} [[ ]]',
      '═══════════ Server 1.0 ═══════════',
      '[INFO] listening on stdio',
      '[2026-11-28 10:00:00] {main} started',
      '{"level":30,"time":1,"msg":"half a record',
      '{"level":30,"msg":NaN}',
      '{ level: 30, msg: "hello" }',
      "{ error: 'no such file', id: 5 }",
      "{'level': 'info', 'id': 7}",
      '{',
      '  "level": 30,',
      '  "id": 17,',
      '}',
      '[',
      '[1, 2, 3',
      'Starting JSON-RPC 2.0 server (jsonrpc over stdio)',
      'Speaks "jsonrpc" 2.0',
      'jsonrpc: ready',
      'Content-Length: 5',
      'received {"jsonrpc":"2.0","id":"inv_1","method":"call","params":{"name":"a"}}',
      '<- {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{}}',
      'example: {"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":"inv_0","result":NaN}',
      '{"jsonrpc":"2.0","method":"progress","params":{"id":"inv_1","data":NaN}}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":NaN}}',
      '"a text"',
      '42',
      'null',
      'the id is "inv_1"',
      '\u001b[33mwarning\u001b[0m',
      'caf\u00e9',
    ].map((line) => [line]),
  )('is not a message: %j', (line) => expect(judge(line)).toBeUndefined())

  it.each([
    ['a banner in UTF-16', Buffer.from('Server 1.0 is up\r', 'utf16le')],
    ['Latin-1', Buffer.from('d\u00e9marr\u00e9', 'latin1')],
    ['bytes', Buffer.from([0, 255, 254, 0, 1, 2])],
    ['NULs', Buffer.alloc(100)],
  ])('is not a message: %s', (_, line) => expect(judge(line)).toBeUndefined())

  it.each([
    [{ jsonrpc: '2.0', result: {} }, 'has no id'],
    [{ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'no' } }, 'has null as its id'],
    [{ jsonrpc: '2.0', id: {}, result: 1 }, 'has {} as its id'],
    [{ jsonrpc: '2.0', id: 1, result: 1 }, undefined],
    [{ jsonrpc: '2.0', id: null }, undefined],
    [{ jsonrpc: '2.0', method: 'progress', error: 1 }, undefined],
    [{ level: 'error', error: 'no disk' }, undefined],
  ])('is an answer that does not say whose: %j', (message, what) => {
    expect(withoutId(message)?.what).toBe(what && `is an answer that ${what}`)
  })

  it('is what a program shows of an answer over HTTP', () => {
    const lines = meantLines()
    for (const one of ['HTTP/1.1 200 OK', 'Content-Length: 5', 'Date: today', '', '{"a":1}'])
      expect(lines(Buffer.from(one), waits)).toBeUndefined()
  })
})
