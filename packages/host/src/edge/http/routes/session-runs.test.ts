import { verifies } from '@svc/conformance/verifies'
import type { Frame } from '@svc/contract'
import { Stream } from 'openai/streaming'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settled } from '../../../testing/jobs.ts'
import { sayingModel, scriptedModel } from '../../../testing/run-model.ts'
import { messagesOf, openRouteHost, ROUTES, type RouteHost, textOf } from '../../../testing/session-routes.ts'

const AGENT = `${ROUTES}/agent`
const RUN_ID = '0b3f8f3e-6d4c-4a53-9c7e-1f2a3b4c5d6e'
const USAGE = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 }

const openWith = (model: ReturnType<typeof scriptedModel>, limits = {}) =>
  openRouteHost({ models: { default: { model: model.model, vision: true } }, limits })

let services: RouteHost
beforeAll(async () => {
  services = await openWith(sayingModel('Hel', 'lo "you"\n\n'))
})
afterAll(() => services.close())

describe('a run over its route', () => {
  verifies(
    ['route.agent.run', 'route.agent.complete', 'stream.end'],
    'is answered with its frames as they are numbered, end included, then complete',
    async () => {
      const { uuid, token } = await services.make()
      const got = await services.send(AGENT, {
        bearer: token,
        body: { app_session_uuid: uuid, content: 'hi' },
      })
      expect([got.status, got.response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
      const messages = await messagesOf(got)
      const [last, ...frames] = messages.reverse()
      expect(frames.map(({ id }) => id)).toEqual(frames.map((_, at) => String(frames.length - at)))
      expect(frames.every(({ event }) => event === null)).toBe(true)
      const [end, ...others] = frames.map(({ data }) => data)
      expect(end).toEqual({ event: 'end', run_id: expect.any(String) })
      expect(others.map(({ event }) => event).reverse()).toEqual([
        'queued',
        'started',
        'run_meta',
        'sse',
        'sse',
        'sse',
      ])
      expect(textOf(frames.reverse())).toBe('Hello "you"\n\n')
      expect(last).toEqual({
        id: null,
        event: 'complete',
        data: { run_id: end.run_id, aborted: false, usage: USAGE },
      })
    },
  )

  verifies(
    ['route.agent.run', 'design.stream.openai'],
    "is read by the openai client's own parser of streams",
    async () => {
      const { token } = await services.make()
      const { response } = await services.send(AGENT, { bearer: token, body: { content: 'hi' } })
      const items: { event: string | null; data: Frame }[] = []
      const named = true
      const stream = Stream.fromSSEResponse(response, new AbortController(), undefined, named)
      for await (const item of stream) items.push(item as (typeof items)[number])
      const last = items.pop()
      expect(last).toMatchObject({ event: 'complete', data: { aborted: false, usage: USAGE } })
      expect(items.every(({ event }) => event === null)).toBe(true)
      const chunks = items.flatMap(({ data }) => (data.event === 'sse' ? [data.data] : []))
      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello "you"\n\n')
    },
  )

  verifies(
    ['route.agent.body', 'route.agent.run', 'session.aliases', 'run.id.idempotent', 'wall.cors.closed'],
    'takes the arguments of the call under any of their names, without cookie and Origin, and shows nobody else',
    async () => {
      const { uuid, token } = await services.make()
      const body = {
        appSessionUuid: uuid,
        content: 'Look.',
        runId: RUN_ID,
        system: 'Be brief.',
        allowedTools: [],
        attachments: [{ type: 'image/png', data: 'iVBORw0KGgo=' }],
      }
      const headers = { origin: 'https://evil.example', cookie: 'svc_signin_8787=x' }
      const got = await services.send(AGENT, { bearer: token, body, headers })
      expect([...got.response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      const [first, ...rest] = await messagesOf(got)
      expect([first?.data.event, rest.at(-1)?.data]).toEqual([
        'queued',
        { run_id: RUN_ID, aborted: false, usage: USAGE },
      ])
      const again = await messagesOf(await services.send(AGENT, { bearer: token, body }))
      expect(again).toEqual([first, ...rest])
      const after = { bearer: token, body, headers: { 'last-event-id': '4' } }
      const ids = (await messagesOf(await services.send(AGENT, after))).map(({ id }) => id)
      expect(ids).toEqual([...again.map(({ id }) => id).slice(4, -1), null])
      const other = { bearer: token, body: { ...body, content: 'Look again.' } }
      expect(await services.send(AGENT, other)).toMatchObject({
        status: 400,
        body: { error: { name: 'invalid_arg' } },
      })
    },
  )

  verifies(
    [
      'route.agent.cancel',
      'route.agent.complete',
      'stream.cancelled',
      'stream.route.aborted',
      'run.cancel.result',
    ],
    'that is cancelled ends with task_cancelled, end, and complete that says so',
    async () => {
      const model = scriptedModel((talk) => talk.say('half'))
      const own = await openWith(model)
      const { token } = await own.make()
      const got = await own.send(AGENT, { bearer: token, body: { content: 'hi', run_id: RUN_ID } })
      const read = messagesOf(got)
      for (let turns = 0; model.talks.length === 0 && turns < 1_000; turns += 1) await settled()
      const cancel = () => own.send(`${AGENT}/cancel`, { bearer: token, body: { run_id: RUN_ID } })
      expect(await cancel()).toMatchObject({ status: 200, body: { cancelled: true } })
      const messages = await read
      expect(messages.slice(-3).map(({ data }) => data)).toMatchObject([
        { event: 'sse', data: { choices: [{ delta: { task_cancelled: true } }] } },
        { event: 'end', run_id: RUN_ID },
        { run_id: RUN_ID, aborted: true },
      ])
      expect(textOf(messages)).toBe('half')
      expect(await cancel()).toMatchObject({ status: 200, body: { cancelled: false } })
      await own.close()
    },
  )

  verifies(
    'route.agent.reader',
    'goes on when its reader goes away, and is there for the next one',
    async () => {
      const model = scriptedModel()
      const own = await openWith(model)
      const { token } = await own.make()
      const send = () => own.send(AGENT, { bearer: token, body: { content: 'hi', run_id: RUN_ID } })
      const reader = (await send()).response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
      for (let turns = 0; model.talks.length === 0 && turns < 1_000; turns += 1) await settled()
      const [talk] = model.open()
      expect(talk?.signal.aborted).toBe(false)
      const next = messagesOf(await send())
      talk?.say('all of it')
      talk?.finish()
      const messages = await next
      expect([textOf(messages), messages.at(-1)?.data.aborted]).toEqual(['all of it', false])
      await own.close()
      expect(own.clock.timers).toBe(0)
    },
  )

  verifies(
    ['route.agent.reader', 'design.events.reader_cost'],
    'waits for no reader: one that takes nothing is cut after 30 s, and what it cost is little',
    async () => {
      const model = scriptedModel()
      const own = await openWith(model)
      const { token } = await own.make()
      const send = () => own.send(AGENT, { bearer: token, body: { content: 'hi', run_id: RUN_ID } })
      const slow = (await send()).response.body?.getReader()
      for (let turns = 0; model.talks.length === 0 && turns < 1_000; turns += 1) await settled()
      const [talk] = model.open()
      for (let n = 0; n < 200; n += 1) talk?.say('x'.repeat(10_000))
      talk?.finish()
      const whole = await messagesOf(await send())
      expect([textOf(whole).length, whole.at(-1)?.event]).toEqual([2_000_000, 'complete'])
      let taken = 0
      for (let n = 0; n < 5; n += 1) {
        taken += (await slow?.read())?.value?.length ?? 0
        await settled()
        await own.clock.advance(20_000)
      }
      expect(taken).toBeGreaterThan(0)
      await own.clock.advance(10_000)
      await expect(
        (async () => {
          for (let got = await slow?.read(); got && !got.done; got = await slow?.read())
            taken += got.value.length
        })(),
      ).rejects.toThrow('read nothing')
      expect(taken).toBeLessThan(1_048_576)
      await own.close()
      expect(own.clock.timers).toBe(0)
    },
  )

  test('whose frames are gone says so instead of streaming', async () => {
    const own = await openWith(sayingModel('ok'), { REAPER_INTERVAL_MS: 100_000, CLEAN_INTERVAL_MS: 100_000 })
    const { token } = await own.make()
    const sent = { bearer: token, body: { content: 'hi', run_id: RUN_ID } }
    await messagesOf(await own.send(AGENT, sent))
    await own.clock.advance(400_000)
    expect(await own.send(AGENT, sent)).toMatchObject({
      status: 404,
      body: { error: { name: 'not_found' } },
    })
    await own.close()
  })

  test('a host that closes ends the streams that are open', async () => {
    const own = await openWith(scriptedModel())
    const { token } = await own.make()
    const read = messagesOf(await own.send(AGENT, { bearer: token, body: { content: 'hi' } }))
    await settled()
    await own.close()
    expect((await read).at(-1)?.event).toBeNull()
    expect(own.clock.timers).toBe(0)
  })

  test('a session has so many streams open, and a stream that ended gives its place back', async () => {
    const model = scriptedModel()
    const own = await openWith(model, { IN_FLIGHT_PER_WINDOW: 2 })
    const { token } = await own.make()
    const send = () => own.send(AGENT, { bearer: token, body: { content: 'hi', run_id: RUN_ID } })
    const [first, second] = [await send(), await send()]
    expect(await send()).toMatchObject({ status: 429, body: { error: { name: 'rate_limited' } } })
    await first.response.body?.cancel()
    const third = messagesOf(await send())
    expect((await send()).status).toBe(429)
    for (let turns = 0; model.talks.length === 0 && turns < 1_000; turns += 1) await settled()
    model.open()[0]?.finish()
    await Promise.all([third, messagesOf(second)])
    expect(await messagesOf(await send())).not.toEqual([])
    await own.close()
  })
})
