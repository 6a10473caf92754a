import { setTimeout as after } from 'node:timers/promises'
import { serve, tool } from '@svc/plugin'

const STEP_MS = 20

serve({
  name: 'soak',
  version: '1.0.0',
  tools: {
    echo: tool({ description: 'Gives back its arguments.', parameters: [], run: (args) => args }),
    fail: tool({
      description: 'Fails.',
      parameters: [],
      run: () => {
        throw new Error('it was asked to')
      },
    }),
    hang: tool({ description: 'Never answers.', parameters: [], run: () => new Promise(() => {}) }),
    leave: tool({ description: 'Ends its process.', parameters: [], run: () => process.exit(3) }),
    steps: tool({
      description: 'Tells of its steps.',
      parameters: [{ name: 'count', type: 'integer', required: true }],
      run: async ({ count }, { emitProgress }) => {
        for (let step = 1; step <= Number(count); step++) {
          emitProgress({ step })
          await after(STEP_MS)
        }
        return { count }
      },
    }),
  },
})
