import { Queue, Worker } from 'bullmq'
import { Logger, run } from 'graphile-worker'
import { PgBoss } from 'pg-boss'
import type { Servers } from '../servers.ts'

/** A queue whose jobs do nothing. */
export interface NoopQueue {
  /** What a caller may count on, in words. */
  readonly name: string
  /** Queues so many jobs, each by a call of its own, and resolves when all have run. */
  run(count: number): Promise<void>
  close(): Promise<void>
}

/** As many jobs at once, and connections. */
const AT_ONCE = 10
const TASK = 'noop'

/** Counts jobs that have run. */
function counter() {
  let left = 0
  let done = Promise.withResolvers<void>()
  return {
    expect(count: number): Promise<void> {
      left = count
      done = Promise.withResolvers()
      return done.promise
    },
    count(by = 1) {
      left -= by
      if (left === 0) done.resolve()
    },
  }
}

const times = (count: number, work: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, work))

/** graphile-worker as it is set up by default, with as many jobs at once. */
export async function openGraphile({ postgres }: Servers): Promise<NoopQueue> {
  const jobs = counter()
  const runner = await run({
    connectionString: postgres.url,
    maxPoolSize: AT_ONCE,
    concurrency: AT_ONCE,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { [TASK]: async () => jobs.count() },
  })
  return {
    name: 'graphile-worker (PostgreSQL; at least once, a row that is removed at the end)',
    async run(count) {
      const done = jobs.expect(count)
      await times(count, () => runner.addJob(TASK, {}))
      await done
    },
    close: () => runner.stop(),
  }
}

/** pg-boss, told of jobs at once, taking many at a time. */
export async function openBoss({ postgres }: Servers): Promise<NoopQueue> {
  const jobs = counter()
  const boss = new PgBoss({
    connectionString: postgres.url,
    max: AT_ONCE,
    supervise: false,
    schedule: false,
    useListenNotify: true,
  })
  await boss.start()
  await boss.createQueue(TASK, { notify: true })
  await boss.work(
    TASK,
    { batchSize: 100, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 },
    async (batch) => jobs.count(batch.length),
  )
  return {
    name: 'pg-boss (PostgreSQL; at least once, a row that is kept, 100 taken at a time)',
    async run(count) {
      const done = jobs.expect(count)
      await times(count, () => boss.send(TASK, {}))
      await done
    },
    close: () => boss.stop({ graceful: false }),
  }
}

/** bullmq as it is set up by default, with as many jobs at once; each does the work. */
export async function openBull(
  { redis }: Pick<Servers, 'redis'>,
  { atOnce = AT_ONCE, work = async () => {} } = {},
): Promise<NoopQueue> {
  const jobs = counter()
  const connection = { host: '127.0.0.1', port: redis.port, maxRetriesPerRequest: null }
  const queue = new Queue(TASK, { connection })
  const job = async () => {
    await work()
    jobs.count()
  }
  const worker = new Worker(TASK, job, { connection, concurrency: atOnce })
  await worker.waitUntilReady()
  return {
    name: 'bullmq (Redis; at least once, kept as far as Redis keeps it)',
    async run(count) {
      const done = jobs.expect(count)
      await times(count, () => queue.add(TASK, {}, { removeOnComplete: 1_000 }))
      await done
    },
    async close() {
      await worker.close(true)
      await queue.close()
    },
  }
}
