import { expect, it } from 'vitest'
import { lineAgain } from '../terminal/typed.ts'
import { refuseTaken } from './refuse-taken.ts'

const args = {
  dirs: { type: 'positional' },
  port: { type: 'string' },
  open: { type: 'boolean' },
  hmr: { type: 'boolean' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const

const refused =
  (rest: readonly string[], env: NodeJS.ProcessEnv, manager = 'npm') =>
  () =>
    refuseTaken(
      { command: { args }, path: 'svc dev', rest, takesCommand: false },
      { npm_config_user_agent: `${manager}/11`, ...env },
      (path, words, change, given) =>
        lineAgain(path, words, change, given, { event: 'start', text: 'node run.mjs start' }),
    )

it.each<[typed: string, rest: string[], env: NodeJS.ProcessEnv, line: string]>([
  ['npm start --port 9000', ['9000'], { npm_config_port: 'true' }, 'npm start -- --port 9000'],
  ['npm start --port=9000', [], { npm_config_port: '9000' }, 'npm start -- --port 9000'],
  ['npm start a --port 9000', ['a', '9000'], { npm_config_port: 'true' }, 'npm start -- a --port 9000'],
  ['npm start --port', [], { npm_config_port: 'true' }, 'npm start -- --port …'],
  ['npm start a --open', ['a'], { npm_config_open: 'true' }, 'npm start -- a --open'],
  ['npm start --no-hmr', [], { npm_config_hmr: '' }, 'npm start -- --no-hmr'],
  ['npm start --dry-run', [], { npm_config_dry_run: 'true' }, 'npm start -- --dry-run'],
])('%s is told what works', (_, rest, env, line) => {
  expect(refused(rest, env)).toThrow(expect.objectContaining({ kind: 'usage', hint: `Type: ${line}` }))
})

it.each<[string, string[], NodeJS.ProcessEnv, string?]>([
  ['an option that arrived', ['--port', '1'], { npm_config_port: 'true' }],
  ['an option that npm has itself', [], { npm_config_json: 'true' }],
  ['a setting of no option', [], { npm_config_registry: 'x' }],
  ['another package manager', [], { npm_config_port: '1' }, 'pnpm'],
])('%s is left alone', (_, rest, env, manager) => {
  expect(refused(rest, env, manager)).not.toThrow()
})
