import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { processesWith } from '@svc/conformance/processes'
import { tarOf } from '@svc/conformance/testing/archives'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRunner, type RunnerOptions } from '../runner.ts'
import { type InstallBed, openInstallBed, tinyPlugin, tinyProgram, where } from '../testing/install.ts'

/** What a process of this machine needs to be there or gone, however busy. */
const ARRIVES_MS = 10_000
vi.setConfig({ testTimeout: 3 * ARRIVES_MS })

let bed: InstallBed
beforeEach(() => {
  bed = openInstallBed()
  vi.stubEnv('HOME', bed.folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await bed.close()
})

const at = (name: string) => join(bed.folder, name)
const count = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8').length : 0)
const alive = () => processesWith(bed.folder)

/** A `uv` that counts its starts and installs once there is a file `go`; until then a process of it waits. */
function putUv() {
  const script = `printf x >> "$HOME/starts"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
[ -e "$HOME/fails" ] && exit 1
mkdir -p "$UV_TOOL_DIR/tiny/bin" "$UV_TOOL_BIN_DIR"
cat > "$UV_TOOL_DIR/tiny/bin/tiny" <<'END'
${tinyProgram('done')}
END
ln -s "$UV_TOOL_DIR/tiny/bin/tiny" "$UV_TOOL_BIN_DIR/tiny"`
  mkdirSync(at('path'))
  writeFileSync(at('path/uv'), `#!/bin/sh\n${script}\n`, { mode: 0o700 })
  vi.stubEnv('PATH', `${at('path')}:${process.env.PATH}`)
}
const go = () => writeFileSync(at('go'), '')
const started = (times = 1) => vi.waitUntil(() => count('starts') === times, ARRIVES_MS)
const tiny = (version = '1.0.0') => bed.plugin({ type: 'uv', package_name: 'tiny' }, version)

/** A runner whose package managers are not walled: those here are told by files of the test when to go on. */
const openBed = (options: RunnerOptions = {}) => bed.open({ isolation: 'none', ...options })

describe('an install that takes its time', () => {
  beforeEach(putUv)

  it('is shared by all who ask', async () => {
    const runner = openBed()
    const asked = [
      runner.install(tiny()),
      runner.describe(tiny()),
      where(runner, tiny()),
      where(runner, tiny()),
    ]
    await started()
    go()
    const [installed, described, ...called] = await Promise.all(asked)
    expect(installed).toEqual({ ok: true })
    expect(described).toMatchObject({ ok: true, description: { name: 'tiny' } })
    expect(called).toMatchObject([{ mark: 'done' }, { mark: 'done' }])
    expect(count('starts')).toBe(1)
  })

  it('goes on when one who asked leaves, and when all have', async () => {
    const runner = openBed()
    const leave = new AbortController()
    const left = runner.install(tiny(), { signal: leave.signal })
    await started()
    const late = runner.install(tiny(), { deadlineMs: Date.now() - 1 })
    leave.abort()
    expect(await Promise.all([left, late])).toMatchObject([
      { code: 'cancelled' },
      {
        code: 'plug_unavailable',
        details: { retriable: true },
        message: expect.stringContaining('still being'),
      },
    ])
    go()
    expect((await where(runner, tiny())).mark).toBe('done')
    expect(count('starts')).toBe(1)
  })

  it('ends when the runner closes, with all that it started, and leaves nothing', async () => {
    const runner = openBed()
    const asked = runner.install(tiny())
    await started()
    await vi.waitUntil(() => alive().length > 0, ARRIVES_MS)
    await runner.close()
    expect(await asked).toMatchObject({ code: 'agent_unavailable', details: { retriable: true } })
    await vi.waitUntil(() => alive().length === 0, ARRIVES_MS)
    expect(bed.left()).toEqual([])
    expect(await runner.install(tiny())).toMatchObject({ code: 'agent_unavailable' })
    expect(bed.left()).toEqual([])
  })

  it('ends while nothing is started any more', async () => {
    const runner = openBed()
    const asked = runner.install(tiny())
    await started()
    const closed = runner.close()
    const plugin = { id: 'tiny', version: '1.0.0', command: ['node', '-e', tinyPlugin()] }
    const told = runner.describe(plugin)
    expect(runner.stats().processes).toBe(0)
    expect(await told).toMatchObject({ code: 'agent_unavailable' })
    await closed
    expect(await asked).toMatchObject({ code: 'agent_unavailable' })
  })

  it('ends when it takes too long', async () => {
    const clock = frozenClock()
    const runner = openBed({ clock })
    const asked = runner.install(tiny(), { deadlineMs: clock.now() + 999_999 })
    await started()
    await vi.waitUntil(() => alive().length > 0, ARRIVES_MS)
    await clock.advance(299_999)
    expect(alive()).not.toEqual([])
    await clock.advance(1)
    expect(await asked).toMatchObject({
      code: 'plug_unavailable',
      message: 'tool-ada-tiny-1 could not be installed (uv): it took more than 300000 ms',
    })
    await vi.waitUntil(() => alive().length === 0, ARRIVES_MS)
    expect(bed.left()).toEqual([])
    expect(clock.timers).toBe(0)
  })

  it('waits for its turn: two run at once', async () => {
    const runner = openBed()
    const asked = ['1.0.0', '2.0.0', '3.0.0'].map((version) => runner.install(tiny(version)))
    await started(2)
    go()
    expect(await Promise.all(asked)).toEqual([{ ok: true }, { ok: true }, { ok: true }])
    expect(count('starts')).toBe(3)
  })

  it('holds up nobody whose plugin is there: only what is installed waits for a turn', async () => {
    go()
    const before = openBed()
    await before.install(tiny('1.0.0'))
    await before.close()
    rmSync(at('go'))
    const runner = openBed()
    const asked = ['2.0.0', '3.0.0'].map((version) => runner.install(tiny(version)))
    await started(3)
    expect(await runner.install(tiny('1.0.0'))).toEqual({ ok: true })
    go()
    expect(await Promise.all(asked)).toEqual([{ ok: true }, { ok: true }])
  })

  const asking = (deadlineMs: number) => ({
    userId: 'ada',
    plugin: tiny(),
    tool: 'where',
    timeoutMs: 1_000,
    deadlineMs,
    maxResultBytes: 65_536,
    invokeId: 'c',
    graceMs: 500,
    jobId: 'j',
    onStarted() {},
    onProgress() {},
    onDropped() {},
    onHeartbeat() {},
  })

  it('counts against the deadline of a call, a job and a describe', async () => {
    const clock = frozenClock()
    const runner = openBed({ clock })
    const input = { ...asking(clock.now() + 1_000), signal: new AbortController().signal }
    const asked = [
      runner.call(input),
      runner.job(input),
      runner.describe(tiny(), { deadlineMs: input.deadlineMs }),
    ]
    await started()
    await clock.advance(1_000)
    for (const outcome of await Promise.all(asked))
      expect(outcome).toMatchObject({ code: 'plug_unavailable', details: { retriable: true } })
    expect(runner.stats().processes).toBe(0)
  })

  it('ends the wait of a call and of a job that are cancelled', async () => {
    const runner = openBed()
    const cancel = new AbortController()
    const input = { ...asking(Date.now() + 60_000), signal: cancel.signal }
    const asked = [runner.call(input), runner.job(input)]
    await started()
    cancel.abort()
    for (const outcome of await Promise.all(asked)) expect(outcome).toMatchObject({ code: 'cancelled' })
    expect(runner.stats().processes).toBe(0)
  })

  it('that failed is told again for a while, then tried again', async () => {
    const clock = frozenClock()
    const runner = openBed({ clock })
    go()
    writeFileSync(at('fails'), '')
    const failed = await runner.install(tiny())
    expect(failed).toMatchObject({ code: 'plug_unavailable' })
    await clock.advance(9_999)
    expect(await runner.install(tiny())).toEqual(failed)
    expect(count('starts')).toBe(1)
    await clock.advance(1)
    expect(await runner.install(tiny())).toMatchObject({ code: 'plug_unavailable' })
    expect(count('starts')).toBe(2)
  })

  it('is made anew for each version of a plugin that names no version of its package', async () => {
    const runner = openBed()
    go()
    await runner.install(tiny('1.0.0'))
    await runner.install(tiny('1.0.1'))
    expect(count('starts')).toBe(2)
    const pinned = (version: string) =>
      bed.plugin({ type: 'uv', package_name: 'tiny', version: '7.0.0' }, version)
    await runner.install(pinned('1.0.0'))
    await runner.install(pinned('1.0.1'))
    expect(count('starts')).toBe(3)
  })
})

describe('the folder of installs', () => {
  const archive = (mark: string) => {
    writeFileSync(at('tiny.tgz'), gzipSync(tarOf({ name: 'a/tiny.cjs', body: tinyPlugin(mark) })))
    return bed.plugin({ type: 'local', path: at('tiny.tgz') })
  }
  const restarted = async (plugin: ReturnType<typeof archive>) => {
    const runner = openBed()
    const { file } = await where(runner, plugin)
    await runner.close()
    return file
  }

  verifies('plug.install.fresh', 'has one folder an install, which nobody else may enter', async () => {
    const file = await restarted(archive('a'))
    const [install = '', ...others] = bed.left()
    expect(others).toEqual([])
    expect(install).toMatch(/^[\da-f]{64}$/)
    expect(file).toBe(join(bed.installDir, install, 'files/a/tiny.cjs'))
    for (const path of ['.', install, `${install}/files`, `${install}/files/a`])
      expect(statSync(join(bed.installDir, path)).mode & 0o777).toBe(0o700)
    for (const path of ['start.json', 'files/a/tiny.cjs'])
      expect(statSync(join(bed.installDir, install, path)).mode & 0o777).toBe(0o600)
  })

  it('keeps installs: a restart finds what is there', async () => {
    const plugin = archive('a')
    const file = await restarted(plugin)
    const { ino } = statSync(file)
    expect(await restarted(plugin)).toBe(file)
    expect(statSync(file).ino).toBe(ino)
  })

  it('that cannot be made is told, and made once it can', async () => {
    const clock = frozenClock()
    const runner = openBed({ clock })
    const plugin = archive('a')
    writeFileSync(bed.installDir, '')
    expect(await runner.install(plugin)).toMatchObject({
      code: 'plug_unavailable',
      message:
        'tool-ada-tiny-1 could not be installed (local): the file system of the runner returned EEXIST',
    })
    rmSync(bed.installDir)
    await clock.advance(10_000)
    expect(await runner.install(plugin)).toEqual({ ok: true })
  })

  it('may be shared by runners that install the same at once', async () => {
    const plugin = archive('a')
    const files = await Promise.all([1, 2, 3, 4].map(async () => (await where(openBed(), plugin)).file))
    expect(new Set(files).size).toBe(1)
    expect(bed.left()).toHaveLength(1)
  })

  const damages: Readonly<Record<string, (folder: string) => void>> = {
    'no start.json': (folder) => writeFileSync(join(folder, 'start.json'), ''),
    'half a start.json': (folder) => writeFileSync(join(folder, 'start.json'), '{"start":["node",{"in":"a/'),
    'a start.json without a command': (folder) => writeFileSync(join(folder, 'start.json'), '{"start":[]}'),
    'a start.json that leads out': (folder) =>
      writeFileSync(join(folder, 'start.json'), '{"start":["node",{"in":"../../tiny.cjs"}]}'),
    'a program that is gone': (folder) =>
      writeFileSync(join(folder, 'start.json'), '{"start":["node",{"in":"a/gone.cjs"}]}'),
  }
  verifies.each('plug.install.fresh')(Object.entries(damages))(
    '%s: installed anew',
    async (_what, damage) => {
      const plugin = archive('a')
      const file = await restarted(plugin)
      damage(join(bed.installDir, bed.left()[0] ?? ''))
      expect(await restarted(plugin)).toBe(file)
      expect(bed.left()).toHaveLength(1)
    },
  )

  verifies(
    'plug.install.fresh',
    'what was interrupted goes at the next start; what another process makes stays',
    async () => {
      mkdirSync(bed.installDir)
      const gone = ['.part-4194304-abc', `.part-${process.pid}-abc`, 'f'.repeat(64)]
      const stays = [`.part-${process.ppid}-abc`, 'notes']
      for (const name of [...gone, ...stays]) mkdirSync(join(bed.installDir, name))
      await restarted(archive('a'))
      expect(bed.left().filter((name) => !/^[\da-f]{64}$/.test(name))).toEqual(stays)
      expect(bed.left()).toHaveLength(3)
    },
  )

  verifies(
    'plug.install.fresh',
    'what somebody removed under a runner is installed anew within the hour',
    async () => {
      const clock = frozenClock()
      const runner = openBed({ clock })
      const plugin = archive('a')
      const install = async () => {
        expect(await runner.install(plugin)).toEqual({ ok: true })
        return bed.left().length
      }
      expect(await install()).toBe(1)
      rmSync(join(bed.installDir, bed.left()[0] ?? ''), { recursive: true })
      await clock.advance(3_599_999)
      expect(await install()).toBe(0)
      await clock.advance(1)
      expect(await install()).toBe(1)
    },
  )

  it('forgets what nobody has started for a month', async () => {
    const file = await restarted(archive('a'))
    const start = join(file, '../../../start.json')
    const old = new Date(Date.now() - 2_592_000_000 + 60_000)
    utimesSync(start, old, old)
    await restarted(archive('b'))
    expect(bed.left()).toHaveLength(2)
    const older = new Date(Date.now() - 2_592_000_000 - 1)
    utimesSync(start, older, older)
    await restarted(archive('b'))
    expect(bed.left()).toHaveLength(1)
    expect(existsSync(file)).toBe(false)
  })

  it('is one of its own that goes with the runner where none is named', async () => {
    vi.stubEnv('TMPDIR', bed.folder)
    const runner = createRunner()
    const { file } = await where(runner, archive('a'))
    // Where no plugin sees it, whatever it reaches.
    expect(file).toContain(join(bed.folder, 'svc-runner-'))
    await runner.close()
    expect(readdirSync(bed.folder)).toEqual(['tiny.tgz'])
  })
})

it('a describe has its time once, its install included', async () => {
  const clock = frozenClock()
  const runner = openBed({ clock })
  writeFileSync(at('mute.tgz'), gzipSync(tarOf({ name: 'mute.cjs', body: 'process.stdin.resume()' })))
  const told = runner.describe(bed.plugin({ type: 'local', path: at('mute.tgz') }))
  await clock.advance(9_999)
  await vi.waitUntil(() => runner.stats().processes > 0, ARRIVES_MS)
  await clock.advance(1)
  expect(await told).toMatchObject({ message: 'tool-ada-tiny-1 did not answer describe in time.' })
})

it('an MCP server is started behind the adapter, by the Node of the runner', async () => {
  const path = new URL('../testing/tiny-mcp.mjs', import.meta.url).pathname
  const plugin = bed.plugin({ type: 'local', path, protocol: 'mcp' })
  const runner = openBed()
  expect(await runner.describe(plugin)).toMatchObject({
    ok: true,
    description: { name: 'tiny', tools: [{ name: 'where' }] },
  })
  expect(JSON.stringify(await where(runner, plugin))).toContain(process.execPath)
})
