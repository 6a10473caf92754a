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
  heartbeat: cost([60, 0, 0], [0, 0, 0], [0, 0]),
  read: cost([230, 60, 0], [1, 0, 0], [0, 0]),
  write: cost([1_100, 580, 0], [2.1, 1, 540], [0, 0]),
  job: cost([2_950, 2_770, 250], [10.75, 3, 7_550], [17.5, 2_950]),
  event: cost([90, 15, 20], [0.05, 0, 0], [0.75, 330]),
  frame: cost([85, 5, 24], [0.03, 0, 0], [2.3, 720]),
  /** A page that opens its event stream. */
  opening: cost([1_800, 150, 250], [1, 0, 0], [6.5, 560]),
  /** A second of a host that does nothing else. */
  hostSecond: cost([6_200, 1_250, 1_450], [6.2, 0.2, 34], [2, 190]),
} as const satisfies Readonly<Record<string, Cost>>

/** Memory of a host: by itself, and for each page with its event stream; bytes. */
export const hostMemory = { alone: 200 * 2 ** 20, page: 35 * 2 ** 10 } as const
