import { limits } from '@svc/contract/limits'
import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import type { CommandSpec, InstalledSpec } from '../port/runner.ts'
import { noChild } from '../processes/child.ts'
import { createInProcessRunner } from './in-process-runner.ts'

const runner = createInProcessRunner({ clock: frozenClock(), limits, start: () => noChild('it is broken') })
const call = {
  userId: 'ada',
  tool: 'add',
  timeoutMs: 1_000,
  deadlineMs: Number.POSITIVE_INFINITY,
  graceMs: 0,
  maxResultBytes: 100,
}
const job = {
  ...call,
  jobId: 'tjob_1',
  signal: new AbortController().signal,
  onStarted() {},
  onProgress() {},
  onDropped() {},
  onHeartbeat() {},
}
const published: InstalledSpec = {
  id: 'tool-ada-sums',
  version: '1.0.0',
  distribution: { type: 'npm', package_name: 'sums' },
}

it.each([
  ['installs', () => runner.install(published)],
  ['calls', () => runner.call({ ...call, plugin: published, invokeId: 'inv_1' })],
  ['runs as a job', () => runner.job({ ...job, plugin: published })],
  ['describes', () => runner.describe(published)],
])('%s nothing that has to be installed', async (_, work) => {
  expect(await work()).toEqual({
    ok: false,
    code: 'plug_unavailable',
    message: 'tool-ada-sums is not started: a runner without processes installs nothing.',
  })
})

it('judges a plugin that does not start as any runner does', async () => {
  const plugin: CommandSpec = { id: 'sums', version: '1.0.0', command: ['sums'] }
  expect(await runner.install(plugin)).toEqual({ ok: true })
  const broken = { ok: false, code: 'plug_unavailable', message: expect.stringContaining('it is broken') }
  expect(await runner.call({ ...call, plugin, invokeId: 'inv_1' })).toMatchObject(broken)
  expect(await runner.job({ ...job, plugin })).toMatchObject(broken)
  expect(await runner.describe(plugin)).toMatchObject(broken)
  expect(runner.stats()).toMatchObject({ busy: 0, waiting: 0 })
  await runner.close()
})
