import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { describe, expect, it } from 'vitest'
import { npm, publishingBed, skill, tool, weather } from '../../testing/publishing.ts'

const nameOf = ({ name }: { readonly name: string }) => name

/** Plugins of ada, made a minute apart, the last one first in her list. */
async function withPlugs(count = 0) {
  const bed = publishingBed()
  const create = async (name: string, more: object = {}, user = 'ada') => {
    await bed.clock.advance(60_000)
    return (await bed.publishing.create(user, { name, type: 'tool', ...tool, ...more })).tool_id
  }
  for (let at = 0; at < count; at += 1) await create(`Plugin ${at}`)
  return { ...bed, create }
}

describe('the own plugins', () => {
  verifies('route.list.pages', 'come page by page, while others are made and removed', async () => {
    const { publishing, create } = await withPlugs(5)
    const first = await publishing.own('ada', { limit: 2 })
    expect(first.plugs.map(nameOf)).toEqual(['Plugin 4', 'Plugin 3'])
    await create('Newer')
    await publishing.remove('ada', first.plugs[0]?.tool_id ?? '')
    const second = await publishing.own('ada', { limit: 2, cursor: first.next_cursor })
    const third = await publishing.own('ada', { limit: 2, cursor: second.next_cursor })
    expect([...second.plugs, ...third.plugs].map(nameOf)).toEqual(['Plugin 2', 'Plugin 1', 'Plugin 0'])
    expect(third.next_cursor).toBeNull()
  })

  verifies.each('route.list.search')([
    ['WEATHER', ['Wetter', 'Sky']],
    ['forecast', ['Wetter', 'Sky']],
    ['sky', ['Sky']],
    ['blue wolken', ['Sky']],
    ['haiku', ['Poems']],
    ['ada', ['Poems', 'Wetter', 'Sky']],
    ['blue haiku', []],
  ])('%j finds %j', async (search, names) => {
    const { publishing, create } = await withPlugs()
    await create('Sky', { slug: 'weather-one', tags: ['blue', 'Wolken'] })
    await create('Wetter', { slug: 'weather-two' })
    await create('Poems', { slug: 'haiku', type: 'skill', distribution: undefined, ...skill })
    expect((await publishing.own('ada', { search })).plugs.map(nameOf)).toEqual(names)
  })

  it('are read by the row of their route', async () => {
    const { publishing } = await withPlugs()
    await expect(publishing.own('ada', { limit: limits.PLUG_LIST_MAX + 1 })).rejects.toMatchObject({
      code: 'invalid_arg',
      details: { path: 'limit' },
    })
  })
})

describe('the plugins that a user sees', () => {
  verifies('route.list.search', 'are searched in all parts of the list', async () => {
    const { publishing, create } = await withPlugs()
    const own = await create('Sky', {}, 'bob')
    const found = await create('Big sky', { visibility: 'public' })
    await create('Sea', { visibility: 'public' })
    const { plugs, next_cursor } = await publishing.visible('bob', { search: 'SKY' })
    expect([plugs.map(({ tool_id }) => tool_id), next_cursor]).toEqual([[own, found], null])
  })

  verifies('route.list.search', 'are not found by what their authors did not publish', async () => {
    const { publishing, create } = await withPlugs()
    const id = await create('Sky', { visibility: 'public' })
    await create('Hidden sky')
    const manifest = { ...weather(), tools: [{ name: 'secret_tool', parameters: [] }] }
    await publishing.edit('ada', id, { manifest })
    const found = async (user: string, search: string) =>
      (await publishing.visible(user, { search })).plugs.map(nameOf)
    expect(await found('ada', 'secret_tool')).toEqual(['Sky'])
    expect(await found('bob', 'secret_tool')).toEqual([])
    expect(await found('bob', 'forecast')).toEqual(['Sky'])
    expect(await found('bob', 'hidden')).toEqual([])
    await publishing.publish('ada', id, { manifest, distribution: npm })
    expect(await found('bob', 'secret_tool')).toEqual(['Sky'])
  })

  it('fill a page, whatever of it is the own', async () => {
    const { publishing, create } = await withPlugs()
    await create('First', { visibility: 'public' })
    for (let at = 0; at < 3; at += 1) await create(`Own ${at}`, { visibility: 'public' }, 'bob')
    const { plugs, next_cursor } = await publishing.visible('bob', { limit: 1 })
    expect([plugs.map(nameOf), next_cursor]).toEqual([['Own 2', 'Own 1', 'Own 0', 'First'], null])
  })
})
