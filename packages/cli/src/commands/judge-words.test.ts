import { verifies } from '@svc/conformance/verifies'
import { holding } from '@svc/node/options'
import { expect, it } from 'vitest'
import { portText } from '../terminal/text-rules.ts'
import { judgeWords } from './judge-words.ts'

const json = { type: 'boolean' } as const
const name = { type: 'string' } as const
const file = { type: 'positional', required: true } as const
const dir = { type: 'positional', required: false } as const
const commands: Readonly<Record<string, object>> = {
  check: { data: name, json },
  backup: { file, data: name, json },
  release: { version: { ...file, rule: holding('must be 1', (value) => value === '1') }, dir, json },
  dev: {
    dirs: { ...dir, many: true },
    port: { ...name, rule: portText },
    watch: json,
    allow: { ...name, many: true },
  },
}

function judged(command: string, words: readonly string[]): void {
  const args = commands[command] as never
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  judgeWords(
    {
      command: { args },
      path: `svc ${command}`,
      rest: own,
      takesCommand: command === 'check' && words.includes('plugin'),
    },
    words,
  )
}

it.each([
  ['check', []],
  ['check', ['--data', './restored', '--json']],
  ['check', ['--data=a']],
  ['check', ['--data', '-']],
  ['check', ['--', 'plugin', '--any']],
  ['backup', ['a.tar', '--data', 'x']],
  ['release', ['1', 'app']],
  ['dev', ['a', 'b', 'c', '--no-watch', '--port', '0', '--allow', 'x', '--allow', 'y']],
])('svc %s %j is taken', (command, words) => {
  expect(() => judged(command, words)).not.toThrow()
})

verifies.each('cli.words')([
  ['check', ['./restored'], 'svc check does not take "./restored"'],
  ['check', ['--dat', 'x'], 'there is no option --dat; did you mean `--data`?'],
  ['check', ['-d', 'x'], 'there is no option -d'],
  ['check', ['--data'], '--data needs a value'],
  ['check', ['--data', '--json'], '--data needs a value'],
  ['check', ['--data', ''], '--data must be a text that is not empty, got ""'],
  ['check', ['--data='], '--data must be a text that is not empty, got ""'],
  ['check', ['--data', 'a', '--data', 'b'], '--data is given twice'],
  ['check', ['--json=maybe'], '--json takes no value, got "maybe"'],
  ['check', ['--no-data', 'a'], 'there is no option --no-data; did you mean `--data`?'],
  ['check', ['node', '--', 'plugin'], 'svc check does not take "node"'],
  ['backup', ['a.tar', 'b.tar'], 'svc backup does not take "b.tar"'],
  ['backup', [''], 'FILE must be a text that is not empty, got ""'],
  ['backup', ['a.tar', '--', 'x'], 'svc backup does not take "--"'],
  ['release', ['2'], 'VERSION must be 1, got "2"'],
  ['release', ['1', 'a', 'b'], 'svc release does not take "b"'],
  ['dev', ['--port', 'x'], '--port must be a whole number from 0 to 65535, got "x"'],
  ['dev', ['--port', '-1'], '--port must be a whole number from 0 to 65535, got "-1"'],
  ['dev', ['--watch', '--no-watch'], '--watch is given twice'],
])('svc %s %j is refused', (command, words, message) => {
  expect(() => judged(command, words)).toThrow(expect.objectContaining({ kind: 'usage', message }))
})

it('says where a data folder is named', () => {
  expect(() => judged('check', ['./restored'])).toThrow(
    expect.objectContaining({ hint: 'A data folder is named with --data: svc check --data ./restored' }),
  )
})
