/** A plugin that notes each start of its tool in a file before it does anything else. */
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { serve, tool } from '@svc/plugin'

serve({
  name: 'starts',
  tools: {
    start: tool({
      parameters: [
        { name: 'mark', type: 'string', required: true },
        { name: 'waitMs', type: 'integer', required: true },
      ],
      run: async ({ mark, waitMs }, { emitProgress }) => {
        appendFileSync(process.env.STARTS ?? '', `${mark}\n`)
        for (const half of [1, 2]) {
          await wait(Number(waitMs) / 2)
          emitProgress({ half })
        }
        return { mark }
      },
    }),
  },
})
