import { verifies } from '@svc/conformance/verifies'
import type { HistoryMessage } from '@svc/contract'
import { errorBody, limits as table } from '@svc/contract'
import { StoreError } from '@svc/state'
import { expect, it } from 'vitest'
import { refusalOf } from '../../kernel/refusal-of.ts'
import { sayingModel } from '../../testing/run-model.ts'
import { kindsOf, openRunBed, type RunBedOptions, settled } from '../../testing/runs.ts'
import { readContext } from './context.ts'
import { messages, remember } from './messages.ts'

async function open(changed: RunBedOptions['limits'] = {}) {
  const bed = openRunBed({ limits: changed })
  const session = await bed.session()
  const services = { clock: bed.clock, store: bed.store, limits: { ...table, ...changed } }
  return {
    bed,
    session,
    say: (...said: HistoryMessage[]) => remember(services, { userId: 'ada', sessionUuid: session }, said),
    context: () => readContext(services, session),
  }
}

const turn = (run_id: string, content: string): HistoryMessage[] => [
  { role: 'user', content, run_id },
  { role: 'assistant', content: `you said ${content}`, run_id },
]

verifies('design.run.context', 'a model is given the newest whole turns that fit', async () => {
  const { say, context, bed } = await open({ SESSION_CONTEXT_MAX_BYTES: 60 })
  for (const run of ['1', '2', '3']) await say(...turn(run, `${run}`.repeat(10)))
  const said = (await context()).map(({ content }) => content)
  // Of the second turn the answer alone would fit.
  expect(said.slice(-2)).toMatchObject(['3333333333', [{ text: 'you said 3333333333' }]])
  expect(said).toHaveLength(2)
  await bed.close()
})

verifies(
  'design.run.context',
  'calls stand with their results, and what is not JSON stays text',
  async () => {
    const { say, context, bed } = await open()
    const call = { type: 'tool_call', name: 'probe' } as const
    await say(
      { role: 'user', content: 'go', run_id: '1' },
      {
        role: 'assistant',
        run_id: '1',
        aborted: true,
        content: [
          { type: 'text', text: 'see' },
          { ...call, tool_call_id: 'a', arguments: '{"q":1}' },
          { ...call, tool_call_id: 'b', arguments: '{"q"' },
        ],
      },
      {
        role: 'tool',
        run_id: '1',
        content: [
          { type: 'tool_result', tool_call_id: 'a', name: 'probe', output: [1] },
          { type: 'tool_result', tool_call_id: 'b', name: 'probe', error: { code: 'x', message: 'y' } },
        ],
      },
    )
    expect(await context()).toEqual([
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'see' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'probe', input: { q: 1 } },
          { type: 'tool-call', toolCallId: 'b', toolName: 'probe', input: '{"q"' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'probe', output: { type: 'json', value: [1] } },
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'probe',
            output: { type: 'error-text', value: 'x: y' },
          },
        ],
      },
    ])
    await bed.close()
  },
)

const calls = (...ids: string[]): HistoryMessage => ({
  role: 'assistant',
  run_id: '1',
  content: ids.map((tool_call_id) => ({ type: 'tool_call', tool_call_id, name: 'probe', arguments: '{}' })),
})
const results = (...ids: string[]): HistoryMessage => ({
  role: 'tool',
  run_id: '1',
  content: ids.map((tool_call_id) => ({ type: 'tool_result', tool_call_id, name: 'probe', output: {} })),
})
const [question, answer] = turn('1', 'x') as [HistoryMessage, HistoryMessage]
it.each<[string, HistoryMessage[], string]>([
  ['a call whose result was not written', [question, calls('a')], 'user'],
  ['a call with words before it', [question, answer, calls('a')], 'user assistant user'],
  ['one of two calls', [question, calls('a', 'b'), results('a')], 'user assistant:a tool:a assistant user'],
  ['a result whose call was not written', [question, results('a'), answer], 'user assistant user'],
  [
    'a call that has the id of an earlier one',
    [question, calls('a'), results('a'), calls('a')],
    'user assistant:a tool:a assistant user',
  ],
  ['a turn whose beginning has gone', [results('a'), answer, ...turn('2', 'y')], 'user assistant user'],
])('%s is no stumbling block for a model', async (_name, said, given) => {
  const { say, bed, session } = await open()
  await say(...said)
  const { stream_id } = await bed.start(session)
  await settled(8)
  const [talk] = bed.model.talks
  const shown = talk?.options.prompt.map(({ role, content }) => {
    const ids =
      typeof content === 'string'
        ? []
        : content.flatMap((part) => ('toolCallId' in part ? part.toolCallId : []))
    return [role, ...ids].join(':')
  })
  expect(shown?.join(' ')).toBe(given)
  talk?.finish()
  expect(kindsOf(await bed.ended(stream_id)).at(-2)).toBe('task_complete')
  await bed.close()
})

verifies(['design.run.context', 'session.history.limit'], 'a session keeps so many messages', async () => {
  const { say, bed, session } = await open({ SESSION_MESSAGES_MAX: 5 })
  for (let run = 1; run <= 6; run += 1) await say(...turn(`${run}`, `m${run}`))
  expect((await bed.history(session)).map(({ run_id }) => run_id)).toEqual(['4', '5', '5', '6', '6'])
  await bed.close()
})

verifies('session.history.empty', 'a history that is not the caller’s is empty', async () => {
  const { bed, say, session } = await open()
  expect(await bed.history(session)).toEqual([])
  await say(...turn('1', 'x'))
  expect(await bed.history(session)).toHaveLength(2)
  expect(await bed.history('aps_none')).toEqual([])
  expect(await bed.history(await bed.session({ user_id: 'bob' }))).toEqual([])
  await bed.close()
})

verifies(
  'session.history.unread',
  'a history that cannot be read is an error, and one to try again where the storage is away',
  async () => {
    const { bed, say, session } = await open()
    await say(...turn('1', 'x'))
    const failing = async (error: Error) => {
      const store: typeof bed.store = { ...bed.store, scan: () => Promise.reject(error) }
      const broken = openRunBed({ model: sayingModel('ok'), store })
      const refusal = refusalOf(await broken.history(session).catch((refused: unknown) => refused))
      await broken.close()
      return [refusal.code, errorBody(refusal).details?.retriable]
    }
    const away = new StoreError('unavailable', 'PostgreSQL cannot be reached')
    expect(await failing(away)).toEqual(['storage_unavailable', true])
    // A bit has turned: trying again would not help.
    expect(await failing(new StoreError('damaged', 'a record is damaged'))).toEqual([
      'internal_error',
      undefined,
    ])
    await bed.close()
  },
)

verifies('kept.messages', 'the sessions of a user keep so many bytes of messages together', async () => {
  const bed = openRunBed()
  const services = { clock: bed.clock, store: bed.store, limits: { ...table, MESSAGES_BYTES_PER_USER: 300 } }
  const say = (userId: string, sessionUuid: string, text: string) =>
    remember(services, { userId, sessionUuid }, [{ role: 'user', content: text, run_id: 'r' }])
  const kept = async (userId: string) => {
    const { rows } = await bed.store.scan(messages, 'byUser', { eq: [userId], limit: 100 })
    return rows.map(({ row }) => String(row.content)[0])
  }
  await say('eve', 'other', 'x'.repeat(98))
  for (let at = 0; at < 6; at += 1) {
    await bed.clock.advance(1)
    await say('ada', await bed.session(), `${at}${'x'.repeat(97)}`)
  }
  expect([await kept('ada'), await kept('eve')]).toEqual([['3', '4', '5'], ['x']])
  await say('ada', await bed.session(), `6${'x'.repeat(900)}`)
  expect(await kept('ada')).toEqual(['6'])
  await bed.close()
})

it('a session keeps so many bytes of messages, whatever its runs cost, and the newest message in any case', async () => {
  const content = 'x'.repeat(98)
  const bed = openRunBed({ limits: { SESSION_MESSAGES_MAX_BYTES: 300 } })
  const session = await bed.session()
  for (let at = 0; at < 5; at += 1) {
    const { run_id, stream_id } = await bed.start(session, { content: `${at}${content.slice(1)}` })
    await settled(8)
    await bed.cancel(session, run_id)
    await bed.ended(stream_id)
    await settled(2)
  }
  const kept = async () => (await bed.history(session)).map(({ content }) => String(content)[0])
  expect(await kept()).toEqual(['2', '3', '4'])
  const { stream_id } = await bed.start(session, { content: `5${content.repeat(9)}` })
  await settled(8)
  expect(await kept()).toEqual(['5'])
  bed.model.talks.at(-1)?.finish()
  await bed.ended(stream_id)
  await bed.close()
})
