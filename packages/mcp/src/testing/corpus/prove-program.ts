import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { corpusScene } from './corpus-scene.ts'
import { Absent, installed } from './installed.ts'
import type { ProgramRow } from './programs.ts'

const folder = join(import.meta.dirname, 'programs')

/** The tests of a row, behind walls: its list, a call, a failure, its state, and a call that takes too long. */
export function proveProgram(row: ProgramRow): void {
  const scene = corpusScene(async (work) => ({ command: await commandOf(row, work), reach: {} }))

  it('lists its tools', async () => {
    const answer = await scene.window.call('tools', 'list')
    const { tools } = (answer.ok ? answer.result : {}) as {
      readonly tools: readonly { readonly tool_name: string }[]
    }
    expect(tools.map(({ tool_name }) => tool_name)).toEqual(['add', 'count', 'sleep'])
  })

  it('answers a call, and says why one fails', async () => {
    expect(await scene.invoke('add', { a: 2, b: 3 })).toMatchObject({ ok: true, result: { sum: 5 } })
    expect(await scene.invoke('add', { b: 3 })).toMatchObject({
      ok: false,
      error: { code: 'tool_failed', message: expect.stringContaining('a is missing') },
    })
  })

  it('ends a call that takes too long, and answers the next one', async () => {
    const late = await scene.invoke('sleep', {}, { timeoutMs: 1_000 })
    expect(late).toMatchObject({ ok: false, error: { code: 'tool_timeout' } })
    expect(await scene.invoke('add', { a: 4, b: 3 })).toMatchObject({ ok: true, result: { sum: 7 } })
  })
}

/** The command of a row, its program in a folder of the test. Errors: `Absent` without its interpreter. */
async function commandOf({ file, build, command, from }: ProgramRow, work: string) {
  const program = join(work, file)
  copyFileSync(join(folder, file), program)
  chmodSync(program, 0o755)
  const built = build ? join(work, 'built') : program
  if (build) run(build.map((word) => (word === 'FILE' ? program : word === 'BUILT' ? built : word)))
  const [first, ...rest] = command.map((word) => (word === 'FILE' ? built : word))
  if (from) {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      throw new Absent(`no ${first} of this platform`)
    return [join(await installed(from), from.name, from.file), ...rest] as const
  }
  if (!build) run(['which', first ?? ''])
  return [first ?? '', ...rest] as const
}

function run([program = '', ...args]: readonly string[]): void {
  try {
    execFileSync(program, args, { stdio: 'pipe' })
  } catch (error) {
    throw new Absent(
      `${[program, ...args].slice(0, 2).join(' ')} does not work here: ${String(error).slice(0, 200)}`,
    )
  }
}
