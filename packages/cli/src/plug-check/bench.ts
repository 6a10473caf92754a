import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Limits } from '@svc/contract'
import type { Check } from '../checks/check.ts'
import { openProcess, type PluginProcess } from './process.ts'

/** A call of one tool that the author gave to be tried. */
export interface TriedCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** How long it may take, in ms. */
  readonly timeoutMs: number
}

/** What the checks of one plugin share. */
export interface Bench {
  /** Program and arguments of the plugin. */
  readonly command: readonly string[]
  readonly limits: Limits
  /** The call to try; without one, what needs a call is left out. */
  readonly call: TriedCall | undefined
  /** Hears before a call that may take long, and what it is for. */
  readonly onCall: (why: string) => void
  /** Starts a process of the plugin. */
  open(): PluginProcess
  /** Everything on stdout that was no message, once each, with how often it came, and how to put it right. */
  noise(): { readonly problem: string; readonly hint: string | undefined }[]
  /** Ends the processes that are open. */
  clear(): Promise<void>
  /** Ends them, and every one that is opened from now on. */
  stop(): void
  /** Ends all, and removes the folder of the processes. */
  close(): Promise<void>
}

/** One thing that a plugin has to do on the stdio wire. */
export type PluginCheck = Check<Bench>

/** Different problems of stdout that are kept: one says it all, many of them help nobody. */
const NOISE_KEPT = 8

/** Opens the bench for a command that is started in `cwd`. */
export async function openBench(options: {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly limits: Limits
  readonly call: TriedCall | undefined
  readonly onCall?: ((why: string) => void) | undefined
}): Promise<Bench> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-check-'))
  const open = new Set<PluginProcess>()
  const noise = new Map<string, { readonly times: number; readonly hint: string | undefined }>()
  let isStopped = false
  const clear = async () => {
    await Promise.all([...open].map((process) => process.close()))
    open.clear()
  }
  return {
    command: options.command,
    limits: options.limits,
    call: options.call,
    onCall: options.onCall ?? (() => undefined),
    open() {
      const process = openProcess({
        ...options,
        folder,
        onNoise(problem, hint) {
          const before = noise.get(problem)
          if (before || noise.size < NOISE_KEPT) noise.set(problem, { times: (before?.times ?? 0) + 1, hint })
        },
      })
      open.add(process)
      if (isStopped) void process.close()
      return process
    },
    noise: () =>
      [...noise].map(([problem, { times, hint }]) => ({
        problem: times === 1 ? problem : `${problem} (${times} times)`,
        hint,
      })),
    clear,
    stop() {
      isStopped = true
      void clear()
    },
    async close() {
      await clear()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
