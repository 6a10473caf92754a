import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { scriptedModel } from '../../testing/run-model.ts'
import { openRunBed } from '../../testing/runs.ts'
import type { SessionTool } from '../sessions/session-tools.ts'

const data = 'iVBORw0KGgo='
const shot: SessionTool = {
  name: 'tool-a__shot',
  short: 'browser__shot',
  description: 'Takes a picture.',
  instructions: { plugin: 'browser', text: 'Open a page first.' },
  inputSchema: { type: 'object' },
  call: async () => ({
    output: {
      content: [
        { type: 'text', text: 'the page' },
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'text', text: '{"w":1}' },
      ],
      structuredContent: { w: 1 },
    },
  }),
}

verifies.each(['run.tools.output', 'run.tools.instructions'])([[true], [false]])(
  'a model that sees (%s) gets the picture of a tool once, and no later turn has its bytes',
  async (vision) => {
    const model = scriptedModel((talk) => {
      if (talk.options.prompt.at(-1)?.role === 'tool') talk.say('seen')
      else talk.call('tool-a__shot', '{}', `c${talk.options.prompt.length}`)
      talk.finish(talk.options.prompt.at(-1)?.role === 'tool' ? 'stop' : 'tool-calls')
    })
    const bed = openRunBed({ tools: [shot], vision, model })
    const session = await bed.session()
    for (const _ of [1, 2]) await bed.ended((await bed.start(session)).stream_id)
    const prompts = model.talks.map(({ options }) => options.prompt)
    const [first, second] = [prompts[1], prompts[2]].map((prompt) => JSON.stringify(prompt))
    expect(first?.split(data)).toHaveLength(vision ? 2 : 1)
    expect(first).toContain('the page')
    expect(first?.includes('(image/png, 8 bytes, not shown)')).toBe(!vision)
    expect(first?.match(/\{\\"w\\":1\}/g)).toHaveLength(1)
    expect(second).not.toContain(data)
    expect(second).toContain('(image/png, 8 bytes, not shown)')
    for (const prompt of prompts) expect(JSON.stringify(prompt).match(/Open a page first/g)).toHaveLength(1)
    expect(JSON.stringify(await bed.history(session))).toContain('tool-a__shot')
    await bed.close()
  },
)
