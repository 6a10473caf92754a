import { compare, type Outcome } from '../lib/pairs.ts'
import { startServer } from '../lib/server.ts'
import { openPage, pipes } from './ask.ts'
import { readStamps } from './stamps.ts'

const MANY = { tokens: 100, gapMs: 20, streams: 200, blocks: 5 }

/** How long a token is under way from the provider to its reader, among many runs of a host that has one core. */
export async function benchDelay(): Promise<Outcome> {
  const start = (name: string, ...args: (string | number)[]) =>
    startServer(new URL(`./${name}.ts`, import.meta.url), ...args.map(String))
  const provider = await start('provider', MANY.tokens, MANY.gapMs, 'stamped')
  const [bare, twin] = [await start('bare-pipe', provider.port), await start('bare-pipe', provider.port)]
  const host = await start('host', provider.port)
  const servers = [bare, twin, host, provider]
  if (![bare, twin, host].every((server) => server.pin(0)))
    console.log('this machine has no taskset: the servers are on all cores')
  let delays: number[] = []
  const late = async (run: () => Promise<unknown>) => {
    delays = []
    await run()
    return delays.sort((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? Number.NaN
  }
  const reader = () => readStamps(delays)
  let read = reader()
  const page = await openPage(host, (text) => read(text))
  try {
    return await compare({
      title: `frames: delay of a token in ${MANY.streams} runs at ${1_000 / MANY.gapMs} tokens/s each, on one core`,
      unit: 'ms, p99',
      better: 'less',
      aaWithin: 0.5,
      blocks: MANY.blocks,
      warmUp: 1,
      base: { name: 'piped through node:http', block: () => late(() => pipes(bare, MANY.streams, reader)) },
      twin: { name: 'piped', block: () => late(() => pipes(twin, MANY.streams, reader)) },
      others: [
        {
          name: 'svc, provider to page',
          async block() {
            const sessions = await page.sessions(MANY.streams)
            return late(() => {
              read = reader()
              return page.turns(sessions)
            })
          },
        },
      ],
    })
  } finally {
    page.close()
    for (const server of servers) await server.close()
  }
}
