import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits as defaults } from '@svc/contract/limits'
import type { Cell } from './bubblewrap.ts'
import { linkAt } from './paths.ts'
import { seccompFilter } from './seccomp.ts'

/** What walls promise, as the end of the sentence "behind its walls a plugin …": each is tried by `PROOF` on this machine. */
export const promises = {
  /** A secret of the user is asked for. */
  read: 'reads no file of its user',
  /** A file beside its folder. */
  write: 'writes only to its own folder',
  /** Its own view of files, which it cannot write to. */
  system: 'changes nothing of the system',
  /** Namespaces of processes and of memory that is shared. */
  processes: 'sees no process of the machine',
  /** A namespace of networks, with nothing in it. */
  network: 'reaches no network',
  /** No capability, and a filter of calls. */
  kernel: 'has no right and no call of the kernel that it does not need',
  /** The limits of each process. */
  bounds: 'is held to its limits',
  /** Its end ends all that it started. */
  end: 'leaves no process behind',
} as const

const SPACES = ['mnt', 'pid', 'net', 'ipc', 'user']
/** Processes of a namespace of its own: those of the walls, the prover, and what it started. */
const PROCESSES_MAX = 8

/**
 * Runs behind walls as a plugin does, in a shell because that starts in a millisecond. It leaves a process that holds its
 * stderr, so that its caller does not see the end of it as long as that lives; then it tries what the walls must not allow,
 * and says `proven`, or which promises do not hold. Its words: a secret, where it may not write, the namespaces of the
 * runner, the limits, and whether there is a filter. A limit of the operator below ours is as good.
 */
const PROOF = `
setsid sleep 30 &
secret=$1 outside=$2 spaces=$3 files=$4 bounds=$5 filter=$6 broken=
fall() { broken="$broken $1"; }
{ read -r line < "$secret"; } 2>/dev/null && fall read
{ true > "$outside"; } 2>/dev/null
while read -r id parent device root point options; do
  case "$point $options" in '/ rw'* | '/usr rw'* | '/proc rw'*) fall system ;; esac
done < /proc/self/mountinfo
for space in ${SPACES.join(' ')}; do
  case " $spaces " in *" $(readlink /proc/self/ns/$space) "*) fall "$space" ;; esac
done
set -- /proc/[0-9]*
[ $# -gt ${PROCESSES_MAX} ] && fall processes
while read -r name rest; do
  case $name in Inter-* | face* | lo:*) ;; *) fall network ;; esac
done < /proc/net/dev
while read -r key value; do
  case "$key$value" in
    CapEff:0000000000000000 | NoNewPrivs:1) ;;
    CapEff:* | NoNewPrivs:*) fall kernel ;;
    Seccomp:*) [ "$filter" = "" ] || [ "$value" = 2 ] || fall kernel ;;
  esac
done < /proc/self/status
for bound in "$(ulimit -n)" "$(ulimit -t)" "$(ulimit -c)" "$(ulimit -f)" "$(ulimit -d)"; do
  [ "$bound" -le "\${bounds%% *}" ] 2>/dev/null || fall bounds
  bounds=\${bounds#* }
done
{ ulimit -n $((files + 1)); } 2>/dev/null && fall bounds
if [ "$broken" ]; then printf 'broken%s.' "$broken"; else printf proven.; fi >&2
[ "$broken" = "" ]
`
/** Which promise a shared namespace breaks. */
const ofSpace: Readonly<Record<string, keyof typeof promises>> = {
  mnt: 'system',
  pid: 'processes',
  ipc: 'processes',
  net: 'network',
  user: 'kernel',
}

/** What it takes to prove walls: their cell, and the command that runs behind them. */
export interface Proof {
  readonly cell: Cell
  readonly command: readonly string[]
  /** The filter of calls of the kernel, opened; whoever starts the command closes it. */
  readonly filter: number | undefined
  /**
   * What came of it, by what was said: the promises that do not hold, nothing where it said nothing of them. Removes what it
   * made, and is to be called once.
   */
  end(said: string): readonly (keyof typeof promises)[] | undefined
}

/** Makes what a proof needs: a secret beside a folder, which stands for all that is of the user. */
export function openProof(): Proof {
  const room = mkdtempSync(join(tmpdir(), 'svc-proof-'))
  const [folder, secret, filterFile] = [join(room, 'own'), join(room, 'secret'), join(room, 'filter')]
  mkdirSync(folder)
  writeFileSync(secret, 'a secret\n')
  const bytes = seccompFilter()
  if (bytes) writeFileSync(filterFile, bytes)
  const outside = join(room, 'written')
  const spaces = SPACES.flatMap((name) => linkAt(`/proc/self/ns/${name}`) ?? []).join(' ')
  const { PLUGIN_OPEN_FILES_MAX: files, PLUGIN_CPU_MAX_S: seconds } = defaults
  const blocks = Math.floor(defaults.PLUGIN_FILE_MAX_BYTES / 512)
  const bounds = [files, seconds, 0, blocks, Math.floor(defaults.PLUGIN_MEMORY_MAX_BYTES / 1_024)].join(' ')
  const told = [secret, outside, spaces, String(files), bounds, bytes ? 'filter' : '']
  return {
    cell: {
      view: { readable: [], writable: [] },
      reached: [],
      folder,
      cache: undefined,
      etc: undefined,
      filter: bytes && filterFile,
      cwd: folder,
      installed: [],
      hidden: [],
    },
    command: ['/bin/sh', '-c', PROOF, 'sh', ...told],
    filter: bytes && openSync(filterFile, 'r'),
    end(said) {
      // A folder of temporary files of its own has room for a file of that name.
      const hasWritten = existsSync(outside)
      rmSync(room, { recursive: true, force: true })
      const broken = readProof(said)
      return hasWritten ? ['write', ...(broken ?? [])] : broken
    },
  }
}

function readProof(said: string): readonly (keyof typeof promises)[] | undefined {
  // A machine without one of these programs says so before or behind it.
  if (said.includes('proven.')) return []
  const [, names] = /broken ([a-z ]+)\./.exec(said) ?? []
  const fallen = names?.split(' ').map((name) => ofSpace[name] ?? (name as keyof typeof promises))
  return fallen && [...new Set(fallen)]
}
