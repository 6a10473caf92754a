import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it } from 'vitest'

/** A registry that nothing listens on, asked once. */
const noNetwork = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' }
const main = path.join(import.meta.dirname, 'main.ts')
/** Has a program believe that it runs on another Node. */
const pretend = (version: string) =>
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'svc-create-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd, env: { ...process.env, npm_config_user_agent: undefined, ...env } }
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(process.execPath, [...args], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin?.end()
  })
}

it.each(['20.20.2', '22.17.9'])(
  'says on Node %s in one sentence that a newer one is needed',
  async (version) => {
    const { code, out, err } = await run(['--import', pretend(version), main, 'my-app', '-t', 'app'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe(
      `create-svc: Node 22.19 or newer is needed, this is ${version}\n            Get it from https://nodejs.org, then run the command again.\n`,
    )
    expect(existsSync(path.join(cwd, 'my-app'))).toBe(false)
  },
)

it('prints what comes next', async () => {
  expect(await run([main, 'my-app', '-t', 'app'])).toEqual({
    code: 0,
    out: 'Created my-app from app-vanilla. Next:\n  cd my-app\n  npm install\n  npm run dev\n',
    err: '',
  })
})

it('tells a program in one line of JSON what it made, or what was wrong', async () => {
  const made = await run([main, 'my-app', '-t', 'plugin', '--json'])
  expect(JSON.parse(made.out)).toMatchObject({ ok: true, template: 'plugin-node', next: expect.any(Array) })
  const refused = await run([main, 'my-app', '-t', 'plugin', '--json'])
  expect(refused.code).toBe(3)
  expect(JSON.parse(refused.out)).toEqual({
    ok: false,
    error: {
      kind: 'folder',
      message: 'the folder my-app is not empty',
      hint: 'Choose another name, or move away what is there.',
    },
  })
  expect(refused.err).toBe(
    'create-svc: the folder my-app is not empty\n            Choose another name, or move away what is there.\n',
  )
})

it.each([
  [['--help'], '--template, -t NAME'],
  [['--list'], 'page-react'],
  [['--version'], '0.'],
])('%j prints what it says', async (args, word) => {
  const { code, out } = await run([main, ...args])
  expect(code).toBe(0)
  expect(out).toContain(word)
})

verifies(
  'create.install',
  'keeps the project where packages cannot be installed, and says what to do',
  async () => {
    const { code, out, err } = await run([main, 'my-app', '-t', 'app', '--install'], noNetwork)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(
      /^create-svc: my-app is created, but its packages could not be installed \(npm install ended with 1\)\n {12}If the registry could not be reached, try again later: cd my-app && npm install\n/m,
    )
    expect(existsSync(path.join(cwd, 'my-app/package.json'))).toBe(true)
  },
)
