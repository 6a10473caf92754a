import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { leftOf, processesWith } from '@svc/conformance/processes'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { bestIsolator } from '../isolation/probes.ts'
import { type InstallBed, openInstallBed } from '../testing/install.ts'

const { ISOLATION_PROBE_MS } = limits
/** From the end of a runner to the end of all that it started. */
const GONE_MS = 2_000
/** What a process of this machine needs to be there, however busy. */
const ARRIVES_MS = 20_000

let bed: InstallBed
beforeEach(() => {
  bed = openInstallBed()
  mkdirSync(join(bed.folder, 'path'))
})
afterEach(() => bed.close())

/** A `uv` that never comes to an end, and has begun to write. */
const stalls = `#!/bin/sh
mkdir -p "$UV_TOOL_DIR/tiny/bin" "$UV_TOOL_BIN_DIR"
setsid sleep 600 &
touch "$UV_TOOL_DIR/begun"
sleep 600
`

verifies.each('plug.install.fresh')([
  [bestIsolator(ISOLATION_PROBE_MS, { walls: true })],
  [bestIsolator(ISOLATION_PROBE_MS)],
  ['marked'],
])(
  'a runner that is killed in the middle leaves no process, and what it began goes at the next start (%s)',
  async (isolator) => {
    writeFileSync(join(bed.folder, 'path/uv'), stalls, { mode: 0o700 })
    const script = new URL('../testing/lone-installer.ts', import.meta.url).pathname
    const lone = spawn(process.execPath, [script, isolator, bed.installDir], {
      env: { ...process.env, PATH: `${join(bed.folder, 'path')}:${process.env.PATH}` },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const alive = () => processesWith(bed.folder).filter(({ command }) => command.includes('sleep 600'))
    await vi.waitUntil(() => alive().length >= 2, ARRIVES_MS)
    expect(bed.left()).toMatchObject([expect.stringMatching(/^\.part-/)])
    lone.kill('SIGKILL')
    await once(lone, 'exit')
    expect(await leftOf(() => processesWith(bed.folder), GONE_MS)).toEqual([])

    vi.stubEnv('PATH', '')
    await bed
      .open({ isolation: 'none', isolator: 'plain' })
      .install(bed.plugin({ type: 'uv', package_name: 'tiny' }))
    vi.unstubAllEnvs()
    expect(bed.left()).toEqual([])
  },
)
