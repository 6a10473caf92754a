import { serveByFetch } from '@svc/node/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createBendingFront } from './bending-front.ts'

/** A target that says what came to it. */
async function openFront() {
  const target = await serveByFetch(
    async (request) => Response.json({ host: request.headers.get('host'), body: await request.text() }),
    0,
  )
  const front = await createBendingFront({ target: target.url })
  onTestFinished(async () => {
    await front.close()
    await target.close()
  })
  return { target: new URL(target.url), front }
}

it('passes on what no bend names as it came', async () => {
  const { front } = await openFront()
  const response = await fetch(`${front.url}/api/x`, { method: 'POST', body: 'a' })
  expect([response.status, await response.json()]).toEqual([
    200,
    { host: new URL(front.url).host, body: 'a' },
  ])
})

it('bends what is named, together, and nothing after that', async () => {
  const { front, target } = await openFront()
  front.bend('drops_host', {
    does: 'says so',
    on: /^\/api/,
    response: (headers) => {
      headers['x-bent'] = '1'
    },
  })
  const bent = await fetch(`${front.url}/api/x`)
  expect([bent.headers.get('x-bent'), (await bent.json()).host]).toEqual(['1', target.host])
  expect((await fetch(`${front.url}/other`)).headers.get('x-bent')).toBe(null)
  front.bend()
  expect((await fetch(`${front.url}/api/x`)).headers.get('x-bent')).toBe(null)
})

it('answers in place of the target, so often as its bend says', async () => {
  const { front } = await openFront()
  front.bend('fails_once')
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push((await fetch(`${front.url}/api/x`)).status)
  expect(statuses).toEqual([502, 502, 200])
})

it('takes no larger body than its bend says', async () => {
  const { front } = await openFront()
  front.bend('limits_body')
  const send = (bytes: number) => fetch(`${front.url}/api/x`, { method: 'POST', body: 'x'.repeat(bytes) })
  const statuses = []
  for (const bytes of [16_384, 60_000, 1_000_000]) statuses.push((await send(bytes)).status)
  expect(statuses).toEqual([200, 413, 413])
})

it('says which bends there are', async () => {
  const { front } = await openFront()
  expect(() => front.bend('holds_event' as 'holds_events')).toThrow(
    /there is no bend "holds_event"\nIt is one of .*holds_events/,
  )
})
