import { describe, expect, expectTypeOf, it, test } from 'vitest'
import { type RouteAnswer, type RouteInput, type RouteKey, routeCall } from './client.ts'
import { routeRows } from './index.ts'

describe('a call of a route', () => {
  test.each([
    ['of a path', routeCall('GET /api/v1/svc-apps/windows'), 'GET', '/api/v1/svc-apps/windows', undefined],
    [
      'with parameters',
      routeCall('DELETE /api/v1/svc-apps/apps/{app_id}/releases/{version}', {
        params: { app_id: 'a/b?c', version: '1.0.0+x' },
      }),
      'DELETE',
      '/api/v1/svc-apps/apps/a%2Fb%3Fc/releases/1.0.0%2Bx',
      undefined,
    ],
    [
      'with a query',
      routeCall('GET /plugs', { query: { limit: 5, cursor: 'a&b' } }),
      'GET',
      '/plugs?limit=5&cursor=a%26b',
      undefined,
    ],
    [
      'without what is undefined',
      routeCall('GET /plugs', { query: { limit: undefined, cursor: undefined } }),
      'GET',
      '/plugs',
      undefined,
    ],
    [
      'with a body',
      routeCall('POST /api/v1/svc-apps/windows', { body: { app_id: 'app_x' } }),
      'POST',
      '/api/v1/svc-apps/windows',
      { app_id: 'app_x' },
    ],
  ])('%s', (_what, call, method, path, body) => {
    expect(call).toEqual({ method, path, body })
  })

  it.each(routeRows())('%s is filled in whole', (_name, { method, path, params = {} }) => {
    const filled = Object.fromEntries(Object.keys(params).map((name) => [name, name]))
    const call = routeCall(`${method} ${path}` as RouteKey, { params: filled } as never)
    expect(call).toEqual({ method, path: path.replaceAll(/[{}]/g, ''), body: undefined })
  })
})

test('inputs and answers have the types of their rows', () => {
  expectTypeOf<RouteInput<'POST /api/v1/svc-apps/windows'>['body']>().toEqualTypeOf<{
    readonly app_id: string
    readonly view?: string | undefined
    readonly payload?: unknown
  }>()
  expectTypeOf<RouteAnswer<'GET /api/v1/auth/whoami'>>().toEqualTypeOf<{ user_id: string | null }>()
  // @ts-expect-error no such route
  routeCall('GET /api/v1/svc-apps/nowhere')
  // @ts-expect-error the parameter is missing
  expect(() => routeCall('GET /plugs/my/tools/{tool_id}')).toThrow('tool_id must name one thing, got ""')
})

it.each(['', '.', '..'])('refuses %j as a part of a path', (tool_id) => {
  expect(() => routeCall('GET /plugs/my/tools/{tool_id}', { params: { tool_id } })).toThrow(
    `tool_id must name one thing, got "${tool_id}"`,
  )
})
