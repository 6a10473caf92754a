import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHttpUser } from '../testing/http-user.ts'
import { makeTypesApp, type TypesApp } from '../testing/types-app.ts'
import { type Change, type Harness, startHarness, type TypesNews } from './harness.ts'

const FILE = 'src/svc-env.d.ts'
const OURS = '// Written by `svc types`: an older one\n'

let app: TypesApp
let running: Harness | undefined
beforeEach(() => {
  app = makeTypesApp()
})
afterEach(async () => {
  await running?.close()
  app.remove()
})

/** Starts the app; `news` waits for the next that is told of its file, `change` for a change. */
async function start({ createTypes = false } = {}) {
  const told: TypesNews[] = []
  const changes: Change[] = []
  running = await startHarness({
    dirs: [app.dir],
    shell: false,
    watch: true,
    createTypes,
    onTypes: (news) => void told.push(news),
    onChange: (change) => void changes.push(change),
    host: { startToken: TEST_START_TOKEN },
  })
  let seen = 0
  return {
    changes,
    told,
    async news(): Promise<TypesNews | undefined> {
      await expect.poll(() => told.length).toBeGreaterThan(seen)
      seen += 1
      return told[seen - 1]
    },
  }
}

const written = { app: expect.stringContaining('svc-typed-'), file: FILE, problem: null }

verifies(
  'types.dev',
  'writes the file of an app that has one at the start, and when a plugin is saved',
  async () => {
    app.key({ plugins: [app.plugin('sums', [{ name: 'add' }])] })
    app.declare('sums')
    app.put(FILE, OURS)
    const { news, changes } = await start()
    expect(await news()).toEqual(written)
    expect(app.read(FILE)).toContain('      add: {')

    app.plugin('sums', [{ name: 'add' }, { name: 'take' }])
    expect(await news()).toEqual(written)
    expect(app.read(FILE)).toContain('      take: {')
    expect(changes).toEqual([
      { app: written.app, part: 'plugin', problem: null, note: 'tools: sums (available)' },
    ])
  },
)

verifies('types.dev', 'writes it when the svc key or the manifest is saved', async () => {
  const sums = app.plugin('sums', [{ name: 'add' }])
  app.key({ plugins: [sums] })
  app.declare('sums')
  app.put(FILE, OURS)
  const { news } = await start()
  await news()
  app.key({ plugins: [sums, app.plugin('words', [{ name: 'count' }])] })
  app.declare('sums', { handle: 'words' })
  await news()
  await expect.poll(() => app.read(FILE)).toContain('      count: {')
})

it('leaves an app alone that has no such file, but with createTypes', async () => {
  app.key({ plugins: [app.plugin('sums', [{ name: 'add' }])] })
  app.declare('sums')
  const { told } = await start()
  await running?.close()
  expect([told, app.read(FILE)]).toEqual([[], null])

  const { news } = await start({ createTypes: true })
  expect(await news()).toEqual(written)
  expect(app.read(FILE)).toContain('      add: {')
})

verifies('types.file', 'leaves a file that is not its own as it is, and says so', async () => {
  app.put(FILE, 'export type Mine = 1\n')
  const { news } = await start()
  const problem = `${FILE} was not written by svc, so it stays as it is`
  expect(await news()).toEqual({ ...written, problem })
  expect(app.read(FILE)).toBe('export type Mine = 1\n')
})

it('keeps the file while a plugin does not say what tools it has, and says so once', async () => {
  const sums = app.plugin('sums', [{ name: 'add' }])
  app.key({ plugins: [sums] })
  app.declare('sums')
  app.put(FILE, OURS)
  const { news, told, changes } = await start()
  await news()
  const before = app.read(FILE)
  app.put('plugin/sums.mjs', 'process.exit(3)\n')
  expect(await news()).toEqual({ ...written, problem: 'sums did not say what tools it has' })
  app.put('plugin/sums.mjs', 'process.exit(4)\n')
  await expect.poll(() => changes.map(({ problem }) => problem).join()).toContain('exit code 4')
  expect(app.read(FILE)).toBe(before)
  app.plugin('sums', [{ name: 'take' }])
  expect(await news()).toEqual(written)
  expect(told).toHaveLength(3)
})

it('serves calls by the program that was saved last', async () => {
  app.key({ plugins: [app.plugin('sums', [{ name: 'add' }])] })
  app.declare('sums')
  const { changes } = await start()
  const user = await openHttpUser(running?.url ?? '', 'ada')
  const call = () => user.result('tools', 'invoke', { tool_id: 'sums', method: 'add' })
  expect(await call()).toEqual({ tools: 1 })
  app.plugin('sums', [{ name: 'add' }, { name: 'take' }])
  await expect.poll(() => changes.length).toBeGreaterThan(0)
  expect(await call()).toEqual({ tools: 2 })
  expect(await user.result('tools', 'list')).toMatchObject({
    tools: [{ tool_name: 'add' }, { tool_name: 'take' }],
  })
})
