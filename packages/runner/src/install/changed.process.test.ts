import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tarOf } from '@svc/conformance/testing/archives'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect } from 'vitest'
import { type InstallBed, openInstallBed, tinyPlugin, where } from '../testing/install.ts'

let bed: InstallBed
beforeEach(() => {
  bed = openInstallBed()
})
afterEach(() => bed.close())

/** The install of a published archive, and a plugin that says otherwise in its place. */
function published() {
  const path = join(bed.folder, 'tiny.tgz')
  writeFileSync(path, gzipSync(tarOf({ name: 'tiny.js', body: tinyPlugin('good') })))
  const script = () => join(bed.installDir, readdirSync(bed.installDir)[0] ?? '', 'files', 'tiny.js')
  return {
    plugin: bed.plugin({ type: 'local', path }),
    damage: () => writeFileSync(script(), tinyPlugin('evil')),
    script,
  }
}

verifies('install.sealed', 'what was changed is not started, and made anew by the next call', async () => {
  const { plugin, damage, script } = published()
  // No process is kept warm, so that each call starts one.
  const runner = bed.open({ limits: { POOL_PER_RUNNER: 1, POOL_PER_PLUGIN: 1 } })
  expect(await runner.install(plugin)).toEqual({ ok: true })
  damage()
  await expect(where(runner, plugin)).rejects.toThrow(
    'plug_unavailable: The plugin is not available: its install was changed since it was made (tiny.js); the next call installs it again.',
  )
  expect((await where(runner, plugin)).mark).toBe('good')
  // A process that runs is not looked at: it has loaded what it runs.
  damage()
  expect((await where(runner, plugin)).mark).toBe('good')
  expect(readFileSync(script(), 'utf8')).toContain('evil')
})

verifies('install.sealed', 'a job is not started either, nor what was changed before a restart', async () => {
  const { plugin, damage } = published()
  const first = bed.open()
  await first.install(plugin)
  await first.close()
  damage()
  const runner = bed.open()
  let started = 0
  const job = () =>
    runner.job({
      userId: 'ada',
      plugin,
      tool: 'where',
      args: {},
      maxResultBytes: 65_536,
      jobId: 'tjob_1',
      timeoutMs: 20_000,
      deadlineMs: Date.now() + 20_000,
      signal: new AbortController().signal,
      onStarted: () => void started++,
      onProgress() {},
      onDropped() {},
      onHeartbeat() {},
    })
  expect(await job()).toMatchObject({ ok: false, code: 'plug_unavailable' })
  expect(started).toBe(0)
  expect(await job()).toMatchObject({ ok: true, payload: { mark: 'good' } })
  expect(started).toBe(1)
})

verifies('install.sealed', 'an install that is gone, or has no record, is made anew', async () => {
  const { plugin } = published()
  const runner = bed.open()
  await runner.install(plugin)
  rmSync(join(bed.installDir, bed.left()[0] ?? ''), { recursive: true })
  await expect(where(runner, plugin)).rejects.toThrow('its install was changed')
  expect((await where(runner, plugin)).mark).toBe('good')
  await runner.close()
  rmSync(join(bed.installDir, bed.left()[0] ?? '', 'seal.json'))
  expect((await where(bed.open(), plugin)).mark).toBe('good')
})
