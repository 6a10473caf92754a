/** What one of something costs, as `npm run bench -- cluster-costs` prints it. */
export interface Cost {
  /** CPU time, µs. */
  readonly hostUs: number
  readonly postgresUs: number
  readonly redisUs: number
  readonly statements: number
  /** Statements that commit a write. */
  readonly commits: number
  /** Bytes to the log of PostgreSQL. */
  readonly walBytes: number
  /** Commands of Redis, with those of scripts. */
  readonly commands: number
  /** Bytes to and from Redis. */
  readonly redisNetBytes: number
}

const cost = (
  [hostUs, postgresUs, redisUs]: readonly [number, number, number],
  [statements, commits, walBytes]: readonly [number, number, number],
  [commands, redisNetBytes]: readonly [number, number],
): Cost => ({ hostUs, postgresUs, redisUs, statements, commits, walBytes, commands, redisNetBytes })

/** Measured on two cores that others used too, where CPU times are longer than on a quiet machine. */
export const costs = {
  heartbeat: cost([57, 2, 0], [0, 0, 0], [0, 0]),
  read: cost([235, 50, 1], [1, 0, 0], [0, 0]),
  write: cost([1_000, 540, 14], [2.1, 1, 575], [0, 0]),
  job: cost([2_500, 2_600, 230], [11.2, 3, 7_560], [17, 2_950]),
  /** An event of a job and a frame of a run, each by itself; several of one turn of the event loop cost less. */
  event: cost([500, 145, 183], [1, 0, 1], [15, 1_150]),
  frame: cost([105, 3, 36], [0.03, 0, 0], [5, 670]),
  /** A page that opens its event stream. */
  stream: cost([1_500, 125, 180], [1, 0, 0], [6.5, 560]),
  window: cost([2_850, 1_850, 220], [5.5, 1, 3_700], [5, 475]),
  /** A second of a host that does nothing else. */
  hostSecond: cost([6_200, 1_600, 1_500], [6.2, 0.2, 50], [2, 190]),
} as const satisfies Readonly<Record<string, Cost>>

/** Memory of a host: by itself, and for each page with its event stream; bytes. */
export const hostMemory = { alone: 200 * 2 ** 20, page: 35 * 2 ** 10 } as const
