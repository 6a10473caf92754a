import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openFakeTool } from '../../testing/fake-tool.ts'
import { scriptedModel } from '../../testing/run-model.ts'
import { kindsOf, openRunBed, settled } from '../../testing/runs.ts'

/** Calls a tool `count` times each time that it is asked. */
const storm = (count: number) =>
  scriptedModel((talk, at) => {
    for (let call = 0; call < count; call += 1) talk.call('probe', '{}', `c${at}_${call}`)
    talk.finish('tool-calls')
  })

verifies.each('run.tool_calls')([
  ['as many as a step may have', 3, { step: 3, run: 100 }, 4, 12, 4],
  ['more than a step may have', 30, { step: 3, run: 100 }, 4, 12, 4],
  ['more than the run may have', 4, { step: 4, run: 10 }, 64, 10, 3],
  ['as many as the run may have', 5, { step: 5, run: 10 }, 64, 10, 2],
  ['none', 3, { step: 0, run: 10 }, 2, 0, 2],
] as const)('a model that calls %s', async (_name, each, { step, run }, steps, carriedOut, asked) => {
  const tool = openFakeTool()
  const limits = { RUN_TOOL_CALLS_PER_STEP: step, RUN_TOOL_CALLS_MAX: run }
  const bed = openRunBed({ tools: [tool], model: storm(each), limits })
  const session = await bed.session()
  const { stream_id } = await bed.start(session, { recursion_limit: steps })
  const frames = await bed.ended(stream_id)
  await settled(2)
  await bed.close()
  expect([tool.calls.length, bed.model.talks.length]).toEqual([carriedOut, asked])
  expect(kindsOf(frames).slice(-2)).toEqual(['task_complete', 'end'])
  const results = frames.flatMap((frame) =>
    frame.event === 'sse' ? (frame.data.choices[0]?.delta.tool_result ?? []) : [],
  )
  expect(results).toHaveLength(each * asked)
  const refused = results.filter((result) => 'error' in result)
  expect(refused).toHaveLength(each * asked - carriedOut)
  for (const result of refused)
    expect(result).toMatchObject({
      error: {
        code: 'rate_limited',
        message: expect.stringMatching(
          new RegExp(`^a (step may have ${step}|run may have ${run}) tool calls; this one was not made$`),
        ),
      },
    })
})
