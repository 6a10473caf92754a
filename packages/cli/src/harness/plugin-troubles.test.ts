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
