import { constants } from 'node:os'
import type { Limits } from '@svc/contract/limits'
import { bubblewrap, type Cell } from './bubblewrap.ts'
import { FORWARDER } from './forwarder.ts'

/** How a plugin's processes are kept together, so that none outlives its call or its host. */
export interface Isolator {
  /** Whether the kernel ends every descendant with the first process; otherwise `reap.ts` looks for them. */
  readonly endsAll: boolean
  /** Whether a process sees no more of the machine than its cell says; without, all that the runner's user may see. */
  readonly walls: boolean
  /** The words that go before the command. */
  readonly before: (cell: Cell, limits: Limits) => readonly string[]
}

/**
 * The descriptor by which a process gets its lines: a shell makes it its stdin. Node reads no stdin that it made
 * itself, and so does not notice when the other end closes it, or ends before it has read all; of any other pipe it
 * does.
 */
export const INPUT = process.platform === 'win32' ? 0 : 3

/** Behind walls also its stdout comes by one: bubblewrap keeps its own three, and so would keep the pipe open. */
export const OUTPUT = 4
/** It ends when the runner does, however that ends; whoever holds the other end then kills all that is left. */
export const LIFELINE = 5

/**
 * Only the plugin holds its stdin and stdout: whatever starts it and waits for it closes them, or their end would not
 * be seen.
 */
const STDIN = '<&3 3<&-'
const LET_GO = '& exec 3<&- 1>&-; wait $!; exit $?'
/** By its path: a runner may be started without PATH. */
const script = (text: string) => ['/bin/sh', '-c', text, 'sh']

/**
 * The first process of a pid namespace: gives it a /proc of its own where it may, starts the plugin, closes its own
 * copies of the pipes, adopts orphans and returns the plugin's exit code. Without it the plugin itself would be pid 1,
 * which the kernel shields from its own SIGABRT and SIGSEGV, and orphans would stay zombies.
 */
const init = script(`mount -t proc proc /proc 2>/dev/null; "$@" ${STDIN} ${LET_GO}`)
/** Starts the first process of the namespace and waits for it. */
const starter = script(`"$@" ${LET_GO}`)
const bare = script(`exec "$@" ${STDIN}`)

const diesWithParent = ['setpriv', '--pdeathsig', 'KILL']
const ownPids = ['unshare', '--pid', '--mount', '--', ...starter]

/** Enters a cgroup before anything of the plugin is there, so that it has all that it starts. */
const joins = ({ cgroup }: Cell): readonly string[] =>
  cgroup === undefined ? [] : ['/bin/sh', '-c', 'echo 0 > "$0/cgroup.procs" && exec "$@"', cgroup.path]

/**
 * The first program behind the walls: sets the bounds that the kernel holds each process to, waits in the background for
 * the end of the runner, and starts the plugin as `init` does. Shells name the bound on processes in two ways.
 */
const walled = ({ egress, reached, listeners = [] }: Cell, limits: Limits): readonly string[] => {
  const kib = Math.floor(limits.PLUGIN_MEMORY_MAX_BYTES / 1_024)
  const blocks = Math.floor(limits.PLUGIN_FILE_MAX_BYTES / 512)
  const bounds = [
    'ulimit -c 0',
    `ulimit -d ${kib}`,
    `ulimit -f ${blocks}`,
    `ulimit -n ${limits.PLUGIN_OPEN_FILES_MAX}`,
    `ulimit -t ${limits.PLUGIN_CPU_MAX_S}`,
    // A desktop may let the processes of its user go before all others.
    'ulimit -r 0',
    `{ ulimit -p ${limits.PLUGIN_THREADS_MAX} || ulimit -u ${limits.PLUGIN_THREADS_MAX}; }`,
  ].map((bound) => `${bound} 2>/dev/null`)
  const lifeline = `(exec 3<&- ${OUTPUT}>&-; read -r end <&${LIFELINE}; kill -KILL -1) & exec ${LIFELINE}<&-`
  const text = [...bounds, ...sameOnly(reached), lifeline, ...(egress ? [FORWARD] : []), PLUGIN].join('; ')
  return [
    '/bin/sh',
    '-c',
    text,
    'sh',
    ...(egress ? [process.execPath, FORWARDER, JSON.stringify(listeners)] : []),
  ]
}

/**
 * Between the look at a folder and its mount another may have been put in its place; what is mounted stays. So it is looked
 * at once more, from inside.
 */
function sameOnly(reached: Cell['reached']): readonly string[] {
  if (reached.length === 0) return []
  const paths = reached.map(({ path }) => quoted(path)).join(' ')
  const identities = quoted(reached.map(({ identity }) => identity).join('\n'))
  const look = `stat -c %d:%i -- ${paths} 2>/dev/null`
  return [
    `[ "$(command -p ${look} || ${look})" = ${identities} ] || { echo ${quoted(CHANGED)} >&2; exit 1; }`,
  ]
}
const CHANGED = 'svc: a folder that it reaches was changed while it started'
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The way out listens once it has closed its stdout. */
const FORWARD = `ready=$("$1" -e "$2" "$3" 3<&- ${OUTPUT}>&- &); shift 3`
const PLUGIN = `"$@" <&3 >&${OUTPUT} 3<&- ${OUTPUT}>&- & exec 3<&- ${OUTPUT}>&-; wait $!; exit $?`

/** The isolators, best first; docs/performance.md says what each costs. */
export const isolators = {
  /** Walls: bubblewrap, where it is there and user namespaces are allowed. Its own reaper is the first process. */
  bubblewrap: {
    endsAll: true,
    walls: true,
    before: (cell, limits) => [...joins(cell), ...bubblewrap(cell, limits), ...walled(cell, limits)],
  },
  /** Root: one kill ends the whole namespace, `setsid` and double forks included. */
  namespace: {
    endsAll: true,
    walls: false,
    before: () => [...diesWithParent, '--', ...ownPids, ...diesWithParent, '--', ...init],
  },
  /** Anyone else, where user namespaces are allowed. Entering one clears the death signal, so it comes after. */
  userNamespace: {
    endsAll: true,
    walls: false,
    before: () => [
      'unshare',
      '--user',
      '--map-current-user',
      '--keep-caps',
      '--',
      ...diesWithParent,
      '--',
      ...ownPids,
      ...diesWithParent,
      '--ambient-caps=-all',
      '--inh-caps=-all',
      '--',
      ...init,
    ],
  },
  /** No namespaces: the tree is found by its mark; a descendant that wipes its environment, session and parent is not. */
  marked: { endsAll: false, walls: false, before: () => [...diesWithParent, '--', ...bare] },
  /** No setpriv either: on Linux as above; without /proc (macOS) a group kill, and plugins end because stdin does. */
  plain: { endsAll: false, walls: false, before: () => (INPUT === 0 ? [] : bare) },
} as const satisfies Record<string, Isolator>

/** The name of an isolator. */
export type IsolatorName = keyof typeof isolators

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
 * Reads the exit that came through an isolator.
 *
 * Behind an init a death by signal arrives as an exit code, and so does `exit(143)`. Nothing tells them apart, so
 * both are named and the guess is marked.
 */
export function readExit(isolator: Isolator, exit: Exit): Exit {
  const name =
    isolator.endsAll && exit.exitCode !== null ? signalNames.get(exit.exitCode - SIGNAL_BASE) : undefined
  return name ? { exitCode: exit.exitCode, signal: name, signalGuessed: true } : exit
}
