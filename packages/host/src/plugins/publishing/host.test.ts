import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { expect, it } from 'vitest'
import { reservations } from '../../catalog/plug-row.ts'
import { createHost } from '../../create-host.ts'
import { named, tool } from '../../testing/publishing.ts'

const ORIGIN = 'http://127.0.0.1:8787'

verifies('host.twins', 'what the host publishes without HTTP is there for the routes', async () => {
  const authenticate = (request: { headers: { get(name: string): string | null | undefined } }) => {
    const id = request.headers.get('x-user')
    return id ? { id } : null
  }
  const host = createHost({ runner: null, authenticate })
  try {
    const { draft_id, tool_id } = await host.publishing.mint('ada', named)
    await host.publishing.commit('ada', draft_id, { ...tool, visibility: 'public' })
    const headers = { host: '127.0.0.1:8787', 'x-user': 'bob' }
    const listed = await host.fetch(new Request(`${ORIGIN}/plugs`, { headers }))
    expect(await listed.json()).toMatchObject({ plugs: [{ tool_id, own: false, version: '1.0.0' }] })
    // Nobody runs it: a host that is not a harness starts nothing that users publish.
    const known = await host.plugins.find({ userId: 'ada', version: null }, tool_id)
    expect(known).toMatchObject({ status: 'unavailable', link: null })
    expect(await host.plugins.find({ userId: 'bob', version: null }, tool_id)).toBeUndefined()
  } finally {
    await host.close()
  }
})

it('sweeps drafts in its own time', async () => {
  const clock = frozenClock()
  const store = memoryStore()
  const limits = { DRAFT_LIFETIME_MS: 120_000, DRAFT_KEPT_MS: 120_000 }
  const host = createHost({ runner: null, clock, store, secret: 's'.repeat(32), limits })
  try {
    const { draft_id } = await host.publishing.mint('ada', named)
    await clock.advance(181_000)
    expect((await store.get(reservations, draft_id))?.row.state).toBe('expired')
    await clock.advance(120_000)
    expect(await store.get(reservations, draft_id)).toBeNull()
  } finally {
    await host.close()
  }
})
