import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { createAgent } from './agent.ts'
import { branch, createNamespace } from './proxy.ts'
import { endOf, sessionBed, text } from './testing/session.ts'

verifies('design.sdk.on_demand', 'loads the part for sessions once, when it is first needed', async () => {
  const bed = sessionBed()
  let loaded = 0
  const agent = createAgent(
    () => bed.parts,
    async () => {
      loaded += 1
      return await import('./sessions.ts')
    },
  )
  expect(loaded).toBe(0)
  const [session, run] = await Promise.all([
    agent.session({ submode: 'auto' }),
    agent.streamText({ messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] }),
  ])
  expect([session.appSessionUuid, loaded]).toEqual(['aps_1', 1])
  bed.tell(1, text('hello'), endOf(1))
  expect((await run.final()).text).toBe('hello')
  expect((await (await agent.attachText(run.runId)).final()).text).toBe('hello')
})

verifies(
  ['design.sdk.on_demand', 'design.sdk.settles'],
  'rejects where that part cannot be loaded, and tries again',
  async () => {
    const bed = sessionBed()
    let fails = true
    const agent = createAgent(
      () => bed.parts,
      async () => {
        if (fails) throw new TypeError('Failed to fetch dynamically imported module')
        return await import('./sessions.ts')
      },
    )
    for (const call of [() => agent.session({ submode: 'auto' }), () => agent.attachText('r')])
      await expect(call()).rejects.toMatchObject({
        code: 'load_failed',
        retryable: true,
        message: expect.stringContaining('Failed to fetch dynamically imported module'),
      })
    fails = false
    expect((await agent.session({ submode: 'auto' })).appSessionUuid).toBe('aps_1')
  },
)

verifies('sdk.session.handle', 'stands beside the typed calls of the same name', async () => {
  const seen: unknown[] = []
  const call = async (...args: unknown[]) => seen.push(args)
  const session = branch(call, 'agent', 'session', () => 'a handle')
  const agent = createNamespace(call, 'agent', { session }) as {
    session: CallableFunction & Record<string, CallableFunction>
  }
  expect(agent.session({ submode: 'auto' })).toBe('a handle')
  await agent.session.create?.({ submode: 'auto' })
  await agent.session.run?.({ content: 'hi' })
  expect(seen).toEqual([
    ['agent', 'session.create', { submode: 'auto' }, undefined],
    ['agent', 'session.run', { content: 'hi' }, undefined],
  ])
})
