import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Distribution } from '@svc/contract'
import type { InstalledSpec } from '../port/runner.ts'
import { createRunner, type RunnerOptions } from '../runner.ts'

/**
 * A plugin in a dozen lines that needs nothing, as CommonJS. Its tool `where` answers the file that runs, its arguments
 * and the `mark` that it was written with.
 */
export const tinyPlugin = (mark = '') => `
const answers = {
  describe: () => ({ name: 'tiny', version: '1.0.0', tools: [{ name: 'where', parameters: [] }] }),
  call: () => ({ output: { file: __filename, args: process.argv.slice(2), mark: ${JSON.stringify(mark)} } }),
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (answers[method]) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]() }))
})
`

/** The same as a program that the kernel starts. */
export const tinyProgram = (mark?: string) => `#!/usr/bin/env node\n${tinyPlugin(mark)}`

/** A runner whose installs are kept in a folder of the test, and a folder to put things into. */
export function openInstallBed() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-install-test-'))
  const installDir = join(folder, 'installs')
  const runners: ReturnType<typeof createRunner>[] = []
  const plugin = (distribution: Distribution, version = '1.0.0', id = 'tool-ada-tiny-1'): InstalledSpec => ({
    id,
    version,
    distribution,
  })
  return {
    folder,
    installDir,
    plugin,
    /** A runner on the same folder of installs, as after a restart. */
    open(options: RunnerOptions = {}) {
      const runner = createRunner({ installDir, ...options })
      runners.push(runner)
      return runner
    },
    /** What lies in the folder of installs. */
    left: () => {
      try {
        return readdirSync(installDir).sort()
      } catch {
        return []
      }
    },
    async close() {
      await Promise.all(runners.splice(0).map((runner) => runner.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** See `openInstallBed`. */
export type InstallBed = ReturnType<typeof openInstallBed>

/** Calls the tool of the tiny plugin and returns what it said, or throws the failure's sentence. */
export async function where(runner: ReturnType<typeof createRunner>, plugin: InstalledSpec) {
  const outcome = await runner.call({
    userId: 'ada',
    plugin,
    tool: 'where',
    args: {},
    graceMs: 0,
    maxResultBytes: 65_536,
    timeoutMs: 20_000,
    deadlineMs: Date.now() + 20_000,
    invokeId: randomBytes(8).toString('hex'),
  })
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`)
  return outcome.payload as { readonly file: string; readonly args: readonly string[]; readonly mark: string }
}
