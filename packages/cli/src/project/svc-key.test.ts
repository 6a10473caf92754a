import { describe, expect, it } from 'vitest'
import { readSvcKey } from './svc-key.ts'

const command = ['node', 'plugin.ts']

describe('readSvcKey', () => {
  it.each([
    ['no key', undefined, { plugins: [] }],
    ['nothing in it', {}, { plugins: [] }],
    [
      'a plugin',
      { plugins: [{ slug: 'csv-stats', command }] },
      { plugins: [{ slug: 'csv-stats', command }] },
    ],
    [
      'an MCP server',
      { plugins: [{ slug: 'mcp', command, protocol: 'mcp', sampling: true }] },
      { plugins: [{ slug: 'mcp', command, protocol: 'mcp', sampling: true }] },
    ],
    [
      'what a plugin reaches',
      { plugins: [{ slug: 'a', command, reach: { hosts: ['api.example.com'] } }] },
      { plugins: [{ slug: 'a', command, reach: { hosts: ['api.example.com'] } }] },
    ],
    [
      'a plugin without walls',
      { plugins: [{ slug: 'a', command, reach: 'all' }] },
      { plugins: [{ slug: 'a', command, reach: 'all' }] },
    ],
    ['a storage', { storage: 'persistent' }, { plugins: [], storage: 'persistent' }],
    ['a file of types', { types: 'app/tools.d.ts' }, { plugins: [], types: 'app/tools.d.ts' }],
  ])('reads %s', (_, value, key) => {
    expect(readSvcKey(value, 'package.json')).toEqual(key)
  })

  it.each([
    [7, 'svc must be an object, got 7'],
    [{ plugin: [] }, 'package.json: svc has the unknown key `plugin`; did you mean `plugins`?'],
    [
      { plugins: [{ slugg: 'a', command }] },
      'package.json: svc.plugins[0] has the unknown key `slugg`; did you mean `slug`?',
    ],
    [{ zzzzz: 1 }, 'svc has the unknown key `zzzzz`; svc takes the keys plugins, storage, types'],
    [{ plugins: {} }, 'svc.plugins must be an array, got {}'],
    [{ plugins: ['a'] }, 'svc.plugins[0] must be an object, got "a"'],
    [{ plugins: [{ slug: 'A', command }] }, 'must be lower-case letters, digits and single dashes, got "A"'],
    [{ plugins: [{ slug: 'a--b', command }] }, 'svc.plugins[0].slug must be'],
    [
      { plugins: [{ slug: 'a', command: 'node x' }] },
      'must be a list of texts, the program first, got "node x"',
    ],
    [{ plugins: [{ slug: 'a', command: [] }] }, 'svc.plugins[0].command must be'],
    [{ plugins: [{ slug: 'a' }] }, 'got nothing'],
    [
      { plugins: [{ slug: 'a', command, protocol: 'MCP' }] },
      'svc.plugins[0].protocol must be "svc" or "mcp", got "MCP"',
    ],
    [
      { plugins: [{ slug: 'a', command, sampling: 1 }] },
      'svc.plugins[0].sampling must be true or false, got 1',
    ],
    [
      { plugins: [{ slug: 'a', command, reach: 'none' }] },
      'svc.plugins[0].reach must be an object of hosts and folders, or "all", got "none"',
    ],
    [
      { plugins: [{ slug: 'a', command, reach: { hosts: ['10.0.0.1'] } }] },
      'svc.plugins[0].reach: hosts.0 must be a host such as api.example.com',
    ],
    [
      { plugins: [{ slug: 'a', command, envv: {} }] },
      'svc.plugins[0] has the unknown key `envv`; did you mean `env`?',
    ],
    [
      { plugins: [{ slug: 'a', command, env: { KEY: { secrt: true } } }] },
      'svc.plugins[0].env.KEY has the unknown key `secrt`; did you mean `secret`?',
    ],
    [
      { plugins: [{ slug: 'a', command, env: { KEY: 7 } }] },
      'svc.plugins[0].env.KEY must be a text, got a number',
    ],
    [
      { plugins: [{ slug: 'a', command, env: { 'MY-KEY': 'x' } }] },
      'svc.plugins[0].env has the variable "MY-KEY"; a name has letters, digits and underscores',
    ],
    [
      { plugins: [{ slug: 'a', command, env: { KEY: '${user_config.key}' } }] },
      'svc.plugins[0].env.KEY must not hold ${user_config.key}: write ${NAME}, or $${NAME} for the text itself',
    ],
    [{ plugins: [{ slug: 'a', command, cwd: '' }] }, 'svc.plugins[0].cwd must be a text that is not empty'],
    [
      { plugins: [{ slug: 'a', command, session: 'windows' }] },
      'svc.plugins[0].session must be "call", "window" or "agent", got "windows"; did you mean `window`?',
    ],
    [{ plugins: [{ slug: 'a', command, start_ms: '9' }] }, 'svc.plugins[0].start_ms must be a whole number'],
    [
      { plugins: [{ slug: 'a', command, reach: { host: [] } }] },
      'svc.plugins[0].reach must not have the key "host"; did you mean `hosts`?',
    ],
    [{ types: 'tools.ts' }, 'svc.types must be the path of a file that ends with .d.ts, got "tools.ts"'],
    [{ types: 1 }, 'svc.types must be the path of a file that ends with .d.ts, got 1'],
    [{ storage: 'disk' }, 'svc.storage must be "window-state" or "persistent", got "disk"'],
  ])('refuses %j', (value, sentence) => {
    const reading = () => readSvcKey(value, 'package.json')
    expect(reading).toThrow(sentence)
    expect(reading).toThrow(expect.objectContaining({ kind: 'config', hint: expect.any(String) }))
  })
})
