import { spawnSync } from 'node:child_process'
import { constants } from 'node:os'

/** How a plugin's processes are kept together, so that none outlives its call or its host. */
export interface Fence {
  /** Whether the kernel ends every descendant with the first process; otherwise `reap.ts` looks for them. */
  readonly sealed: boolean
  /** The words that go before the command. */
  readonly before: readonly string[]
}

/**
 * The first process of a pid namespace: starts the plugin, lets go of its pipes, takes in orphans and answers
 * the plugin's exit code. Without it the plugin itself would be pid 1, which the kernel shields from its own
 * SIGABRT and SIGSEGV, and orphans would stay zombies.
 */
const INIT = 'exec 3<&0; "$@" <&3 3<&- & exec 0<&- 1>&- 3<&-; wait $!; exit $?'

const diesWithHost = ['setpriv', '--pdeathsig', 'KILL', '--']
const ownPids = ['unshare', '--pid', '--fork', '--kill-child', '--']
const init = ['sh', '-c', INIT, 'sh']

/**
 * The fences, best first. Cost of spawn → describe against a bare child (23 ms), medians of 31 paired starts:
 * a namespace with its init 1.11, the death signal alone 1.02.
 */
export const fences = {
  /** Root: one kill ends the whole namespace, `setsid` and double forks included. */
  namespace: { sealed: true, before: [...diesWithHost, ...ownPids, ...init] },
  /** Anyone else, where user namespaces are allowed. Entering one clears the death signal, so it comes after. */
  userNamespace: {
    sealed: true,
    before: [
      ...['unshare', '--user', '--map-current-user', '--keep-caps', '--'],
      ...diesWithHost,
      ...ownPids,
      ...['setpriv', '--ambient-caps=-all', '--inh-caps=-all', '--'],
      ...init,
    ],
  },
  /** No namespaces: the tree is found by its mark; a descendant that wipes its environment, session and parent is not. */
  marked: { sealed: false, before: diesWithHost },
  /** No setpriv either: on Linux as above; without /proc (macOS) a group kill, and plugins end because stdin does. */
  plain: { sealed: false, before: [] },
} as const satisfies Record<string, Fence>

/** The name of a fence. */
export type FenceName = keyof typeof fences

let best: FenceName | undefined

/** The best fence this machine allows: tried once a process (about 4 ms; `probeMs` at most each), then remembered. */
export function bestFence(probeMs: number): FenceName {
  best ??= (Object.keys(fences) as FenceName[]).find((name) => works(fences[name], probeMs)) ?? 'plain'
  return best
}

function works({ before }: Fence, probeMs: number): boolean {
  const [program, ...args] = [...before, 'true']
  return program !== undefined && spawnSync(program, args, { stdio: 'ignore', timeout: probeMs }).status === 0
}

/** Shells tell a death by signal n as exit code 128 + n. */
const SIGNAL_BASE = 128
const signalNames = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number as number, name]),
)

/** How a process ended: one of the two is null, unless the signal is a guess. */
export interface Exit {
  readonly exitCode: number | null
  readonly signal: string | null
  /** Whether `signal` is read out of `exitCode`: the process may as well have ended itself with that code. */
  readonly signalGuessed?: true
}

/**
 * Reads the exit that came through a fence.
 *
 * Behind an init a death by signal arrives as an exit code, and so does `exit(143)`. Nothing tells them apart, so
 * both are named and the guess is marked.
 */
export function readExit(fence: Fence, exit: Exit): Exit {
  const name =
    fence.sealed && exit.exitCode !== null ? signalNames.get(exit.exitCode - SIGNAL_BASE) : undefined
  return name ? { exitCode: exit.exitCode, signal: name, signalGuessed: true } : exit
}
