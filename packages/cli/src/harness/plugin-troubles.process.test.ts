import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect } from 'vitest'
import { makeTinyApp, type TinyApp } from '../testing/tiny-app.ts'
import { type Change, type Harness, startHarness } from './harness.ts'

let app: TinyApp
let harness: Harness | undefined
beforeEach(() => {
  app = makeTinyApp('export const svc = {}')
})
afterEach(async () => {
  await harness?.close()
  harness = undefined
  app.remove()
})

/** Starts the app with a plugin that a program serves, and follows what is told of it. */
async function startWith(
  command: readonly string[],
  files: Readonly<Record<string, string>>,
  more: object = {},
) {
  for (const [name, text] of Object.entries(files)) app.put(name, text)
  const svc = { plugins: [{ slug: 'sums', command, ...more }] }
  app.put('package.json', JSON.stringify({ type: 'module', svc }))
  const changes: Change[] = []
  harness = await startHarness({
    dirs: [app.dir],
    watch: true,
    writeLog: () => undefined,
    onChange: (change) => void changes.push(change),
  })
  const { host } = harness
  await host.plugins.ready()
  return {
    changes,
    /** What is shown over the windows of the app. */
    shown: async () => (await host.apps.installs('dev'))[0]?.build_problem ?? null,
    status: async () => (await host.plugins.find({ userId: '', version: null }, 'sums'))?.status,
  }
}

const node = (body: string) => `import { serve, tool } from '@svc/plugin'
${body}
serve({ name: 'sums', version: '1.0.0', tools: { add: tool({ description: 'Adds.', parameters: [], run: () => ({}) }) } })
`
const python = (body: string) => `import json, sys
${body}
for text in sys.stdin:
    asked = json.loads(text)
    tools = [{"name": "add", "description": "Adds.", "parameters": []}]
    result = {"name": "sums", "version": "1.0.0", "tools": tools}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
`

verifies.each('hmr.plugins')([
  [
    'Node',
    ['node', 'plugin.ts'],
    'plugin.ts',
    node,
    "throw new TypeError('no disk')",
    { message: 'sums: TypeError: no disk', file: 'plugin.ts', line: 2 },
  ],
  [
    'Python',
    ['python3', 'plugin.py'],
    'plugin.py',
    python,
    'raise ValueError("no disk")',
    { message: 'sums: ValueError: no disk', file: 'plugin.py', line: 2 },
  ],
  [
    'Python that prints on stdout',
    ['python3', 'plugin.py'],
    'plugin.py',
    python,
    'print("ready", flush=True)',
    {
      message: 'sums: a line on stdout is not a message: ready',
      hint: expect.stringContaining('file=sys.stderr'),
    },
  ],
  [
    'a program that only ends',
    ['node', 'plugin.ts'],
    'plugin.ts',
    node,
    'process.exit(3)',
    { message: 'sums: it ended with exit code 3', file: null },
  ],
] as const)(
  'starts a saved plugin of %s again, and shows what is wrong with it',
  async (_, command, file, code, wrong, problem) => {
    const { changes, shown, status } = await startWith(command, { [file]: code('') })
    expect([await status(), await shown()]).toEqual(['available', null])
    app.put(file, code(wrong))
    await expect.poll(shown).toMatchObject({ part: 'plugin', ...problem })
    expect(changes.find(({ part }) => part === 'plugin error')).toMatchObject({
      problem: expect.stringContaining(problem.message),
      note: expect.not.stringContaining('sums'),
    })
    app.put(file, code(''))
    await expect.poll(shown).toBeNull()
    await expect.poll(status).toBe('available')
  },
)

const server = `
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1.0.0' } }),
  'tools/list': () => ({ tools: [] }),
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = results[method]?.(params)
  const error = { code: -32601, message: 'Method not found' }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
})`

verifies('hmr.plugins', 'says of an MCP server what to write', async () => {
  const { shown, status } = await startWith(['node', 'server.cjs'], { 'server.cjs': server })
  expect(await status()).toBe('unavailable')
  await expect.poll(shown).toMatchObject({
    part: 'plugin',
    message: 'sums: it speaks MCP, and not the plugin protocol',
    hint: expect.stringContaining('"protocol": "mcp"'),
  })
})

verifies(['hmr.plugins', 'plug.app.values'], 'starts a plugin once .env has what it needs', async () => {
  const env = { SVC_TEST_KEY: { required: true, description: 'the key of sky.org' } }
  const code = { 'plugin.ts': node("console.error('the key is ' + process.env.SVC_TEST_KEY)") }
  const { changes, shown, status } = await startWith(['node', 'plugin.ts'], code, { env })
  expect(await status()).toBe('unavailable')
  await expect.poll(shown).toMatchObject({
    part: 'plugin',
    message: expect.stringMatching(
      /^sums: it needs SVC_TEST_KEY \("the key of sky\.org"\): write SVC_TEST_KEY=… into \.env/,
    ),
  })
  const found = await harness?.host.plugins.find({ userId: '', version: null }, 'sums')
  expect(found?.fault).toContain('it needs SVC_TEST_KEY')
  app.put('.env', 'SVC_TEST_KEY=kept')
  await expect.poll(status).toBe('available')
  await expect.poll(shown).toBeNull()
  expect(changes.at(-1)).toMatchObject({ part: 'svc key', problem: null })
  app.put('.env', '')
  await expect.poll(status).toBe('unavailable')
})
