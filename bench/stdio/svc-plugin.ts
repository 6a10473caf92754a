import { serve, tool } from '@svc/plugin'

serve({
  name: 'bench',
  version: '1.0.0',
  tools: {
    echo: tool({ description: 'Gives back its arguments.', parameters: [], run: (args) => args }),
    hang: tool({ description: 'Never answers.', parameters: [], run: () => new Promise(() => {}) }),
    large: tool({
      description: 'A long text.',
      parameters: [{ name: 'chars', type: 'integer', required: true }],
      run: ({ chars }) => ({ text: 'x'.repeat(Number(chars)) }),
    }),
  },
})
