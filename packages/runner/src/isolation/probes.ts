import { type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { closeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { limits as defaults } from '@svc/contract/limits'
import type { Cell } from './bubblewrap.ts'
import { type IsolatorName, isolators } from './isolators.ts'
import { openProof, type Proof, promises } from './proof.ts'

/** Best first. */
const names = Object.keys(isolators) as IsolatorName[]

/** Why this machine does not allow an isolator; `null` where it does. */
const known = new Map<string, string | null>()

/** The best isolator this machine allows, among those with walls or without: each tried once a process, then remembered. */
export function bestIsolator(probeMs: number, { walls = false } = {}): IsolatorName {
  const some = names.filter((name) => walls || !isolators[name].walls)
  return some.find((name) => isAllowed(name, probeMs)) ?? 'plain'
}

/** Whether this machine allows an isolator; it is tried once, with its real words, for at most `probeMs`. */
export const isAllowed = (name: IsolatorName, probeMs: number): boolean => problemOf(name, probeMs) === null

/** Why this machine does not allow an isolator, as its programs say it; `null` where it does. */
export function problemOf(name: IsolatorName, probeMs: number): string | null {
  const key = keyOf(name)
  const before = known.get(key)
  if (before !== undefined) return before
  const probe = probeOf(name)
  if ('problem' in probe) return probe.problem
  const { program, args, stdio, end } = probe
  const { status, error, stderr } = spawnSync(program, args, { stdio, timeout: probeMs })
  const said = stderr?.toString() ?? ''
  return learn(key, program, { status, code: codeOf(error), said, broken: end(said) })
}

/** Tries what `bestIsolator` will ask for, without holding the thread meanwhile. */
export async function probeAhead(probeMs: number, { walls = false } = {}): Promise<void> {
  await Promise.all((walls ? [true, false] : [false]).map((has) => tryUntilOne(probeMs, has)))
}

async function tryUntilOne(probeMs: number, walls: boolean): Promise<void> {
  const some = names.filter((name) => isolators[name].walls === walls)
  for (const name of some) if ((await problemAhead(name, probeMs)) === null) return
}

/** As `problemOf`. */
async function problemAhead(name: IsolatorName, probeMs: number): Promise<string | null> {
  const key = keyOf(name)
  const before = known.get(key)
  if (before !== undefined) return before
  const probe = probeOf(name)
  if ('problem' in probe) return probe.problem
  const { program, args, stdio, end: endProbe } = probe
  const ended = await new Promise<Omit<Ended, 'broken'>>((resolve) => {
    const child = spawn(program, args, { stdio })
    let said = ''
    const end = (status: number | null, code?: string) => {
      clearTimeout(timer)
      resolve({ status, code, said })
    }
    // What it started may outlive it and hold its pipes: nobody waits for that.
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      for (const pipe of child.stdio) pipe?.destroy()
      child.unref()
      end(null, 'ETIMEDOUT')
    }, probeMs)
    child.stderr?.on('data', (piece: Buffer) => {
      said += piece
    })
    child.once('error', (error) => end(null, codeOf(error)))
    child.once('close', (status) => end(status))
  })
  return learn(key, program, { ...ended, broken: endProbe(ended.said) })
}

/** Which programs there are depends on where they are looked for. */
const keyOf = (name: IsolatorName) => `${name} ${process.env.PATH}`

/**
 * Walls are proven; of what only keeps processes together it is enough that it starts one. What a proof needs may not come
 * to be, as where there is no folder of temporary files.
 */
function probeOf(name: IsolatorName) {
  const { walls, before } = isolators[name]
  let proof: Proof | null
  try {
    proof = walls ? openProof() : null
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  const [program = 'true', ...args] = [
    ...before(proof?.cell ?? emptyCell(), defaults),
    ...(proof?.command ?? ['true']),
  ]
  const filter = proof?.filter === undefined ? [] : [proof.filter]
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe', ...filter]
  const end = (said: string) => {
    for (const fd of filter) closeSync(fd)
    return proof === null ? null : proof.end(said)
  }
  return { program, args, stdio, end }
}

/** How a probe ended: its exit code, or why it has none, and what it wrote to stderr. */
interface Ended {
  readonly status: number | null
  readonly code: string | undefined
  readonly said: string
  /** Of walls: what was proven. Of others: `null`. */
  readonly broken: ReturnType<Proof['end']> | null
}

const codeOf = (error: NodeJS.ErrnoException | undefined) => error?.code

function learn(key: string, program: string, { status, code, said, broken }: Ended): string | null {
  // The same words whether the thread waited for it or not.
  const failure = code === undefined ? `${program} ended with ${status}` : `spawnSync ${program} ${code}`
  // Where all else holds, only a process that it left behind keeps its end from being seen.
  const fallen = broken?.length === 0 && code === 'ETIMEDOUT' ? (['end'] as const) : broken
  const told = fallen?.map((name) => promises[name]).join(', ')
  const problem = told
    ? `it does not hold that a plugin ${told}`
    : status === 0 && broken !== undefined
      ? null
      : said.trim().split('\n')[0] || failure
  known.set(key, problem)
  return problem
}

const emptyCell = (): Cell => ({
  view: { readable: [], writable: [] },
  reached: [],
  folder: tmpdir(),
  cache: undefined,
  etc: undefined,
  filter: undefined,
  cwd: '/',
  installed: [],
  hidden: [],
})
