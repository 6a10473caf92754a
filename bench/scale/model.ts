import { type Cost, costs, hostMemory } from './costs.ts'

/** How people use it, and what machines there are. All figures are of the busiest minute. */
export interface Assumptions {
  /** Of all users, those with an open page. */
  readonly online: number
  readonly windowsPerPage: number
  /** How long a page stays open, minutes. */
  readonly pageMinutes: number
  /** Per open page and minute. */
  readonly reads: number
  readonly writes: number
  readonly jobs: number
  readonly events: number
  readonly runs: number
  /** Of one run. */
  readonly framesPerRun: number
  /** Per window and minute. */
  readonly heartbeats: number
  /** Rows of one user in PostgreSQL with their indexes, and bytes of files; bytes. */
  readonly recordBytes: number
  readonly fileBytes: number
  /** Journals of an online user in Redis: events, and frames that are kept; bytes. */
  readonly journalBytes: number
  /** A host runs calls in one thread. */
  readonly coresPerHost: number
  readonly memoryPerHost: number
  /** How busy a core may be in the busiest minute. */
  readonly load: number
}

/** The assumptions that `npm run bench -- scale` prints. */
export const assumptions: Assumptions = {
  online: 0.05,
  windowsPerPage: 2,
  pageMinutes: 20,
  reads: 6,
  writes: 1.5,
  jobs: 0.1,
  events: 2,
  runs: 0.1,
  framesPerRun: 300,
  heartbeats: 6,
  recordBytes: 300_000,
  fileBytes: 2_000_000,
  journalBytes: 200_000,
  coresPerHost: 1,
  memoryPerHost: 2 * 2 ** 30,
  load: 0.6,
}

/** What so many users need in the busiest minute. */
export interface Need {
  readonly users: number
  readonly pages: number
  /** Calls of all kinds a second. */
  readonly calls: number
  readonly hosts: number
  /** What decides the number of hosts. */
  readonly hostsBy: 'CPU' | 'memory' | 'one at least'
  /** Busy cores, before any reserve. */
  readonly postgresCores: number
  readonly statements: number
  /** Commits a second: as many writes to its disk at most, fewer where commits share one. */
  readonly commits: number
  readonly walBytes: number
  readonly storedBytes: number
  readonly fileBytes: number
  readonly redisCores: number
  readonly commands: number
  readonly redisNetBytes: number
  readonly redisBytes: number
  /** Redis servers: a Redis uses one core. */
  readonly redisServers: number
}

/** What so many users need. */
export function needOf(users: number, a: Assumptions): Need {
  const pages = users * a.online
  const aSecond = (perMinute: number) => (pages * perMinute) / 60
  const done: readonly (readonly [kind: keyof typeof costs, aSecond: number])[] = [
    ['heartbeat', aSecond(a.heartbeats * a.windowsPerPage)],
    ['read', aSecond(a.reads)],
    ['write', aSecond(a.writes)],
    ['job', aSecond(a.jobs)],
    ['event', aSecond(a.events)],
    ['frame', aSecond(a.runs * a.framesPerRun)],
    ['stream', aSecond(1 / a.pageMinutes)],
    ['window', aSecond(a.windowsPerPage / a.pageMinutes)],
  ]
  const work = (name: keyof Cost) => done.reduce((sum, [kind, count]) => sum + costs[kind][name] * count, 0)
  const usable = a.coresPerHost * a.load - costs.hostSecond.hostUs / 1e6
  const byCpu = Math.ceil(work('hostUs') / 1e6 / usable)
  const byMemory = Math.ceil((pages * hostMemory.page) / (a.memoryPerHost * a.load - hostMemory.alone))
  const hosts = Math.max(byCpu, byMemory, 1)
  const all = (name: keyof Cost) => work(name) + hosts * costs.hostSecond[name]
  const redisCores = all('redisUs') / 1e6
  return {
    users,
    pages,
    calls: done.reduce((sum, [kind, count]) => sum + (isCall(kind) ? count : 0), 0),
    hosts,
    hostsBy: byCpu > byMemory && byCpu > 1 ? 'CPU' : byMemory > 1 ? 'memory' : 'one at least',
    postgresCores: all('postgresUs') / 1e6,
    statements: all('statements'),
    commits: all('commits'),
    walBytes: all('walBytes'),
    storedBytes: users * a.recordBytes,
    fileBytes: users * a.fileBytes,
    redisCores,
    commands: all('commands'),
    redisNetBytes: all('redisNetBytes'),
    redisBytes: pages * a.journalBytes,
    redisServers: Math.ceil(redisCores / a.load),
  }
}

const isCall = (kind: keyof typeof costs) => ['heartbeat', 'read', 'write', 'job'].includes(kind)
