import { expect, it } from 'vitest'
import type { Project } from '../project/project.ts'
import type { Change } from './change.ts'
import { openPluginTroubles } from './plugin-troubles.ts'

const app: Project = { name: 'tiny', dir: '/tiny', bundleDir: '/tiny/dist', built: 'already', plugins: [] }
const SAVED = 1_000

it.each([
  ['of the program as it was before a save', 1_010, 50, []],
  ['that began with the save', 1_050, 50, ['sums: it ended with exit code 1: no disk']],
  ['of the program as it is', 2_000, 10, ['sums: it ended with exit code 1: no disk']],
])('the end of a process %s is told or not', async (_name, time, ms, problems) => {
  const told: Change[] = []
  const troubles = openPluginTroubles({
    appOf: () => app,
    host: () => undefined,
    onChange: (change) => void told.push(change),
    now: () => SAVED,
  })
  await troubles.saved('sums')
  const record = { plugin: 'tool-local-sums-0123abcd', event: 'plugin_ended', exitCode: 1, signal: null }
  troubles.take({ ...record, stderr: 'no disk', time, ms })
  expect(told.map(({ problem }) => problem)).toEqual(problems)
})

it.each([
  [
    'that its reach may have',
    { add: '"reach": { "hosts": ["b.example.com"] }' },
    'fs: it tried b.example.com:443, and its reach does not name that',
    'To allow it, add to svc.plugins: "reach": { "hosts": ["b.example.com"] }',
  ],
  [
    'of which only the words are known',
    {},
    'fs: walls refused a connection: b.example.com has no address',
    'Behind walls a plugin reaches only public hosts that its reach names.',
  ],
])('a connection %s is told with what allows it', (_name, more, problem, note) => {
  const told: Change[] = []
  const troubles = openPluginTroubles({
    appOf: () => app,
    host: () => undefined,
    onChange: (change) => void told.push(change),
  })
  troubles.take({
    plugin: 'tool-local-fs-0123abcd',
    event: 'plugin_refused',
    msg: 'walls refused a connection: b.example.com has no address',
    host: 'b.example.com:443',
    ...more,
  })
  expect(told).toMatchObject([{ problem, note }])
})

it.each<[string, (troubles: ReturnType<typeof openPluginTroubles>) => void, boolean]>([
  ['that could not be used', (troubles) => troubles.unavailable('sums', 'it did not start'), true],
  [
    'that ended before, too',
    (troubles) => {
      troubles.take({ plugin: 'tool-local-sums-0123abcd', event: 'plugin_ended', exitCode: 1 })
      troubles.unavailable('sums', 'it ended')
    },
    true,
  ],
  ['of which nothing was told', () => {}, false],
])('a plugin %s is told once to be there again', async (_name, before, isTold) => {
  const troubles = openPluginTroubles({ appOf: () => app, host: () => undefined, onChange: () => {} })
  before(troubles)
  expect([await troubles.available('sums'), await troubles.available('sums')]).toEqual([isTold, false])
})

it('a line that is meant as a message is told with its cause', () => {
  const told: Change[] = []
  const troubles = openPluginTroubles({
    appOf: () => app,
    host: () => undefined,
    onChange: (change) => void told.push(change),
  })
  const msg = 'it wrote a line that is meant as a message and cannot be read: it has NaN as a value'
  troubles.take({ plugin: 'tool-local-sums-0123abcd', event: 'plugin_meant', msg, hint: 'Write null.' })
  expect(told).toMatchObject([{ problem: `sums: ${msg}`, note: 'Write null.' }])
})
