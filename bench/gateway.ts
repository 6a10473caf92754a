import { type GatewayContender, startContender } from './gateway/contender.ts'
import { compare } from './lib/pairs.ts'

/** Short blocks, and many of them: a ratio is better the closer in time its two figures were taken. */
const BLOCKS = 60
/** Blocks that are not counted: until then the compiler's own threads are a part of a server's CPU time. */
const WARM_UP = 20

/** The gateway of the RPC endpoint: CPU time a request at 64 connections, `window.heartbeat`, tokens verified before. */
export async function benchGateway() {
  const started: GatewayContender[] = []
  const contender = async (name: string, file: string, ...args: string[]) => {
    const one = await startContender(name, file, ...args)
    started.push(one)
    return one
  }
  try {
    const svc = await contender('svc', 'svc.ts')
    // What the real host handed out, so that all of them read the same head.
    const { token = '', cookie = '', window = '' } = svc.server.ready
    const head = [token, cookie, window]
    return await compare({
      title: 'gateway: CPU a request at 64 connections',
      unit: 'µs',
      better: 'less',
      blocks: BLOCKS,
      warmUp: WARM_UP,
      base: await contender('bare node:http with the same checks', 'bare.ts', ...head),
      twin: await contender('bare', 'bare.ts', ...head),
      others: [
        svc,
        await contender('fastify (fewer checks)', 'frameworks.ts', ...head, 'fastify'),
        await contender('hono (fewer checks)', 'frameworks.ts', ...head, 'hono'),
      ],
    })
  } finally {
    await Promise.all(started.map(({ server }) => server.close()))
  }
}

/** The same of a host that keeps its state in memory, and of one that keeps it in a folder. */
export async function compareGatewayStates(dir: string) {
  const started = [
    await startContender('svc, state in memory', 'svc.ts'),
    await startContender('svc, state in memory', 'svc.ts'),
    await startContender('svc, state in a folder', 'svc.ts', dir),
  ] as const
  const [base, twin, folder] = started
  try {
    return await compare({
      title: 'gateway: CPU a request at 64 connections, by where the state is',
      unit: 'µs',
      better: 'less',
      blocks: BLOCKS,
      warmUp: WARM_UP,
      base,
      twin,
      others: [folder],
    })
  } finally {
    await Promise.all(started.map(({ server }) => server.close()))
  }
}

if (import.meta.main) await benchGateway()
