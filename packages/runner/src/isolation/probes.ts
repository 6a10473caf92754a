import { type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { limits as defaults } from '@svc/contract/limits'
import type { Cell } from './bubblewrap.ts'
import { type IsolatorName, isolators } from './isolators.ts'

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
  const { program, args, stdio } = probeOf(name)
  const { status, error, stderr } = spawnSync(program, args, { stdio, timeout: probeMs })
  return learn(key, program, { status, code: codeOf(error), said: stderr?.toString() ?? '' })
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
  const { program, args, stdio } = probeOf(name)
  const ended = await new Promise<Ended>((resolve) => {
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
  return learn(key, program, ended)
}

/** Which programs there are depends on where they are looked for. */
const keyOf = (name: IsolatorName) => `${name} ${process.env.PATH}`

function probeOf(name: IsolatorName) {
  const [program = 'true', ...args] = [...isolators[name].before(emptyCell(), defaults), 'true']
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe']
  return { program, args, stdio }
}

/** How a probe ended: its exit code, or why it has none, and what it wrote to stderr. */
interface Ended {
  readonly status: number | null
  readonly code: string | undefined
  readonly said: string
}

const codeOf = (error: NodeJS.ErrnoException | undefined) => error?.code

function learn(key: string, program: string, { status, code, said }: Ended): string | null {
  const [line] = said.trim().split('\n')
  // The same words whether the thread waited for it or not.
  const failure = code === undefined ? `${program} ended with ${status}` : `spawnSync ${program} ${code}`
  const problem = status === 0 ? null : line || failure
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
