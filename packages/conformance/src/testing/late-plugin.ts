/** A plugin whose tools do far more steps than they may, a line in a file each 50 ms: they listen to no signal. */
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { serve, tool } from '@svc/plugin'

const EVERY_MS = 50
const self = randomUUID()
const parameters = [
  { name: 'file', type: 'string', required: true },
  { name: 'count', type: 'integer', required: true },
] as const

async function work({ file, count }: { file: string; count: number }) {
  for (let step = 0; step < count; step++) {
    appendFileSync(file, `${self} ${Date.now()}\n`)
    await after(EVERY_MS)
  }
  return 'all of it'
}

serve({
  name: 'late',
  version: '1.0.0',
  tools: {
    /** Says nothing before it is done. */
    steps: tool({ parameters, run: work }),
    /** Says that it stops when its signal fires, and goes on. */
    half: tool({
      parameters,
      run: (args, { signal }) =>
        Promise.race([
          work(args),
          new Promise<never>((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
        ]),
    }),
  },
})
