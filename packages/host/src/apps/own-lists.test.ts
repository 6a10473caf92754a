import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { push } from '../testing/apps.ts'
import { filesOf, refusal, type TestServices, testManifest, testServices } from '../testing/services.ts'

const register = async (services: TestServices, slug: string, name = slug) =>
  (await services.apps.register('ada', { slug, name })).app_id

/** Ada's apps: one with a draft and two releases, one with a draft, and one that was only registered. */
async function three() {
  const services = testServices()
  const notes = await register(services, 'notes', 'My notes')
  await push(services, notes)
  await services.apps.release('ada', notes, '1.9.0')
  await services.apps.release('ada', notes, '1.10.0')
  await services.clock.advance(60_000)
  const files = filesOf({ 'index.html': '<p>', 'a/b.js': '12345' })
  const draft = await push(services, notes, testManifest({ name: 'Noten' }), files)
  const csv = await register(services, 'csv', 'Tables')
  await push(services, csv, testManifest({ name: 'CSV lens' }))
  const bare = await register(services, 'bare')
  const list = (query: object = {}) => services.apps.own('ada', { limit: 50, ...query })
  return { services, notes, csv, bare, draft, list }
}

describe('the apps of a developer', () => {
  verifies('route.apps.list', 'are listed by slug, each with its draft and its newest release', async () => {
    const { services, notes, csv, bare, draft, list } = await three()
    const { apps, next_cursor } = await list()
    expect(next_cursor).toBeNull()
    expect(apps.map(({ app_id, latest_release }) => [app_id, latest_release])).toEqual([
      [bare, null],
      [csv, null],
      [notes, '1.10.0'],
    ])
    expect(apps[0]?.draft).toBeNull()
    expect(apps[2]).toEqual({
      app_id: notes,
      slug: 'notes',
      name: 'My notes',
      draft: {
        ...draft,
        name: 'Noten',
        files: 2,
        bytes: 8,
        pushed_at: new Date(services.clock.now()).toISOString(),
      },
      latest_release: '1.10.0',
      created_at: new Date(services.clock.now() - 60_000).toISOString(),
    })
  })

  verifies.each('route.list.search')([
    ['NOTES', ['notes']],
    ['my', ['notes']],
    ['noten', ['notes']],
    ['lens', ['csv']],
    ['tables csv', ['csv']],
    ['a', ['bare', 'csv', 'notes']],
    ['notes lens', []],
  ])('%j finds %j', async (search, slugs) => {
    const { apps } = await (await three()).list({ search })
    expect(apps.map(({ slug }) => slug)).toEqual(slugs)
  })

  it('are found by their ids', async () => {
    const { csv, list } = await three()
    expect((await list({ search: csv })).apps).toMatchObject([{ app_id: csv }])
  })

  verifies('route.list.pages', 'come page by page, while others are registered and deleted', async () => {
    const { services, bare, notes, list } = await three()
    const first = await list({ limit: 2 })
    expect(first.apps.map(({ slug }) => slug)).toEqual(['bare', 'csv'])
    await services.apps.remove('ada', bare)
    await register(services, 'again')
    await register(services, 'later')
    const second = await list({ limit: 2, cursor: first.next_cursor ?? '' })
    expect(second).toMatchObject({ apps: [{ slug: 'later' }, { app_id: notes }], next_cursor: null })
  })
})

describe('the releases of an app', () => {
  verifies('route.apps.releases', 'are listed with the highest version first, page by page', async () => {
    const { services, notes, draft } = await three()
    await services.apps.release('ada', notes, '1.10.1-rc.1')
    const list = (query: object) => services.apps.releases('ada', notes, { limit: 20, ...query })
    const { releases } = await list({})
    expect(releases.map(({ version }) => version)).toEqual(['1.10.1-rc.1', '1.10.0', '1.9.0'])
    expect(releases[0]).toEqual({
      version_id: expect.stringMatching(/^ver_/),
      version: '1.10.1-rc.1',
      name: 'Noten',
      digest: draft.digest,
      files: 2,
      bytes: 8,
      pins: {},
      released_at: new Date(services.clock.now()).toISOString(),
    })
    const first = await list({ limit: 1 })
    await services.apps.removeRelease('ada', notes, '1.10.0')
    await services.apps.release('ada', notes, '2.0.0')
    const rest = await list({ limit: 5, cursor: first.next_cursor ?? '' })
    expect(rest.releases.map(({ version }) => version)).toEqual(['1.9.0'])
    const found = await list({ search: '1.10' })
    expect(found.releases.map(({ version }) => version)).toEqual(['1.10.1-rc.1'])
  })
})

verifies('route.apps.foreign', 'what another user registered is in no list, and looks absent', async () => {
  const { services, notes } = await three()
  expect(await services.apps.own('bob', { limit: 50 })).toEqual({ apps: [], next_cursor: null })
  const asBob = (app: string) => refusal(services.apps.releases('bob', app, { limit: 20 }))
  expect((await asBob(notes)).replace(notes, 'app_none')).toBe(await asBob('app_none'))
  const archiveAsBob = (app: string) => refusal(services.apps.archive('bob', app, '1.9.0'))
  expect((await archiveAsBob(notes)).replace(notes, 'app_none')).toBe(await archiveAsBob('app_none'))
})

it('a cursor of one list is none of another, and tells nothing of another user', async () => {
  const { services, notes, list } = await three()
  const { next_cursor } = await list({ limit: 1 })
  const cursor = next_cursor ?? ''
  expect(await refusal(services.apps.releases('ada', notes, { limit: 1, cursor }))).toMatch(
    /^invalid_arg: cursor must be a next_cursor of this list/,
  )
  expect(await services.apps.own('bob', { limit: 1, cursor })).toEqual({ apps: [], next_cursor: null })
})
