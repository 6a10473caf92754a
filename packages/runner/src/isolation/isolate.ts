import { type IsolatorName, isolators } from './isolators.ts'
import { bestIsolator, probeAhead, problemOf } from './probes.ts'

/** What a runner's owner wants: walls where they can be had, walls or nothing, or none. */
export type IsolationOption = 'auto' | 'required' | 'none'

/** What walls the plugins of a runner have. */
export interface Isolation {
  /** What the runner's owner asked for. */
  readonly option: IsolationOption
  /** How processes are kept together, and walled off where `walls` is true. */
  readonly isolator: IsolatorName
  /** Whether plugins are walled off from the machine. */
  readonly walls: boolean
  /** What is missing, as a sentence without its full stop; `null` where there are walls. */
  readonly problem: string | null
  /** What to do about it. */
  readonly hint: string | null
}

/** What keeps bubblewrap from working, by what it says, and what helps. */
const faults: readonly (readonly [RegExp, string])[] = [
  [
    /does not hold/,
    'Plugins behind them are not run. Take the bubblewrap of your distribution, and look for what changes its arguments.',
  ],
  [/ENOENT/, 'Install bubblewrap: apt install bubblewrap, dnf install bubblewrap or apk add bubblewrap.'],
  [
    /RTM_NEWADDR|setting up uid map|uid_map/,
    'AppArmor stops programs from creating user namespaces (Ubuntu since 24.04): give /usr/bin/bwrap a profile with `userns,`, or set kernel.apparmor_restrict_unprivileged_userns=0.',
  ],
  [
    /No permissions to create|Operation not permitted|pivot_root|Creating new namespace/,
    'User namespaces are forbidden here. In Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined. Else: kernel.unprivileged_userns_clone=1 and user.max_user_namespaces above 0.',
  ],
]
const ELSEWHERE: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'macOS has no isolation that svc can use',
  win32: 'Windows has no isolation that svc can use',
}

/** Finds out, once a process, what this machine has. `option` is `auto` where left out. */
export function isolate(option: IsolationOption = 'auto', probeMs: number): Isolation {
  const none = { option, isolator: bestIsolator(probeMs), walls: false }
  if (option === 'none') return { ...none, problem: 'isolation is switched off', hint: null }
  const elsewhere = ELSEWHERE[process.platform]
  if (elsewhere) {
    const hint =
      'Run plugins on a Linux machine (svc runner), or start them without isolation: isolation "none".'
    return { ...none, problem: elsewhere, hint }
  }
  const isolator = bestIsolator(probeMs, { walls: true })
  if (isolators[isolator].walls) return { option, isolator, walls: true, problem: null, hint: null }
  const said = problemOf('bubblewrap', probeMs) ?? 'it is not allowed'
  return {
    ...none,
    problem: `this machine cannot isolate plugins: bubblewrap does not work (${said})`,
    hint: `${hintFor(said)} To run them without isolation anyway: isolation "none".`,
  }
}

/** Tries what `isolate` will ask for, without holding the thread meanwhile. */
export const isolateAhead = (option: IsolationOption = 'auto', probeMs: number): Promise<void> =>
  probeAhead(probeMs, { walls: option !== 'none' && ELSEWHERE[process.platform] === undefined })

/** What helps against what bubblewrap says. */
export const hintFor = (said: string): string =>
  faults.find(([words]) => words.test(said))?.[1] ?? 'Try `bwrap --unshare-all --ro-bind / / true`.'
