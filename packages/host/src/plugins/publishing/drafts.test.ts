import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { describe, expect } from 'vitest'
import { reservations } from '../../catalog/plug-row.ts'
import { named, publishingBed, tool, weather } from '../../testing/publishing.ts'
import { refusal } from '../../testing/services.ts'

const DAY = 86_400_000
const UNIQ = '[0-9a-hjkmnp-tv-z]{26}'

describe('a minted id', () => {
  verifies.each(['plug.tool_id.format', 'draft.mint'])([
    ['ada', { ...named }, 'tool-ada-weather'],
    ['ada', { ...named, slug: 'sky-2' }, 'tool-ada-sky-2'],
    ['Ada.Lovelace__x@site.org', named, 'tool-ada-lovelace-x-weather'],
    ['usr_1', { name: 'Le Météo: été!', type: 'skill' }, 'tool-usr-1-le-meteo-ete'],
    ['天気', { name: '天気', type: 'skill' }, 'tool-user-skill'],
    ['a'.repeat(60), { name: 'b'.repeat(80), type: 'tool' }, `tool-${'a'.repeat(40)}-${'b'.repeat(40)}`],
    ['ada', { name: 'a.b__c', type: 'tool' }, 'tool-ada-a-b-c'],
  ])('of %s for %j begins with %s', async (user, input, begins) => {
    const { clock, publishing } = publishingBed()
    const minted = await publishing.mint(user, input)
    expect(minted).toEqual({
      draft_id: expect.stringMatching(new RegExp(`^drf_${UNIQ}$`)),
      tool_id: expect.stringMatching(new RegExp(`^${begins}-${UNIQ}$`)),
      expires_at: new Date(clock.now() + DAY).toISOString(),
    })
    expect(minted.tool_id).not.toMatch(/\.|__/)
  })

  verifies.each('plug.type')([
    [{ name: 'X' }, 'type must be one of "tool", "skill", got nothing'],
    [{ name: 'X', type: 'plugin' }, 'type must be one of "tool", "skill", got "plugin"'],
    [{ type: 'tool' }, 'name must be a string, got nothing'],
    [{ name: '\u200b', type: 'tool' }, 'name must have a visible character'],
    [{ name: 'x'.repeat(81), type: 'tool' }, 'name must have at most 80 characters'],
    [{ name: 'X', type: 'tool', slug: 'a.b' }, 'slug must be lower-case letters and digits'],
    [{ name: 'X', type: 'tool', slug: 'a__b' }, 'slug must be lower-case letters and digits'],
    [{ name: 'X', type: 'tool', slug: '' }, 'slug must be lower-case letters and digits'],
  ])('%j is refused: %s', async (input, sentence) => {
    const { publishing } = publishingBed()
    expect(await refusal(publishing.mint('ada', input))).toContain(`invalid_arg: ${sentence}`)
  })

  verifies('plug.tool_id.minted', 'is never the one that a client sends', async () => {
    const { publishing } = publishingBed()
    const mine = { tool_id: 'tool-eve-mine-1' }
    const minted = await publishing.mint('ada', { ...named, ...mine })
    expect(minted.tool_id).toMatch(/^tool-ada-weather-/)
    const committed = await publishing.commit('ada', minted.draft_id, { ...tool, ...mine })
    expect(committed.tool_id).toBe(minted.tool_id)
    expect((await publishing.edit('ada', minted.tool_id, mine)).tool_id).toBe(minted.tool_id)
    expect((await publishing.create('ada', { ...named, ...tool, ...mine })).tool_id).toMatch(
      /^tool-ada-weather-/,
    )
  })
})

describe('a draft', () => {
  verifies('draft.commit', 'becomes a private plugin under its id', async () => {
    const { clock, publishing } = publishingBed()
    const { draft_id, tool_id } = await publishing.mint('ada', named)
    const at = new Date(clock.now()).toISOString()
    const record = {
      tool_id,
      name: 'Weather',
      type: 'tool',
      version: '1.0.0',
      manifest: weather('The weather.', '1.0.0'),
      distribution: tool.distribution,
      distribution_type: 'npm',
      package_name: 'weather-plugin',
      executable_name: null,
      visibility: 'private',
      logo_url: null,
      readme: null,
      sample_prompts: [],
      tags: [],
      status: 'unavailable',
      problem: 'no runner of this user is online',
      created_at: at,
      updated_at: at,
    }
    expect(await publishing.commit('ada', draft_id, tool)).toEqual(record)
    expect(await publishing.get('ada', tool_id)).toEqual(record)
    expect(await publishing.versions('ada', tool_id)).toEqual([])
  })

  /** What happens to a draft before it is committed, and what the commit then answers. */
  verifies.each(['draft.expiry', 'decision.draft.once', 'decision.draft.expired'])([
    ['nothing', 0, [], 'made'],
    ['nothing for a day less 1 ms', DAY - 1, [], 'made'],
    ['nothing for a day', DAY, [], 'draft_expired'],
    ['nothing for a day, swept', DAY, ['sweep'], 'draft_expired'],
    ['nothing for a day less 1 ms, swept', DAY - 1, ['sweep'], 'made'],
    ['a commit', 0, ['commit'], 'conflict'],
    ['a commit, and a day', DAY, ['commit'], 'conflict'],
    ['a commit, and a day, swept', DAY, ['commit', 'sweep'], 'conflict'],
    ['a commit and a removal', 0, ['commit', 'remove'], 'conflict'],
    ['a commit that was refused', 0, ['wrong'], 'made'],
    ['a commit by another user', 0, ['foreign'], 'made'],
    ['eight days, swept twice', DAY + limits.DRAFT_KEPT_MS, ['sweep', 'sweep'], 'not_found'],
    ['a commit, and eight days, swept', DAY + limits.DRAFT_KEPT_MS, ['commit', 'sweep'], 'not_found'],
  ] as const)('after %s', async (_, ms, events, answer) => {
    const { clock, publishing } = publishingBed()
    const { draft_id, tool_id } = await publishing.mint('ada', named)
    const happen = {
      commit: () => publishing.commit('ada', draft_id, tool),
      remove: () => publishing.remove('ada', tool_id),
      wrong: () => publishing.commit('ada', draft_id, { manifest: {} }).catch(() => {}),
      foreign: () => publishing.commit('eve', draft_id, tool).catch(() => {}),
      sweep: () => publishing.sweep(),
    }
    for (const event of events.filter((event) => event !== 'sweep')) await happen[event]()
    await clock.advance(ms)
    for (const event of events.filter((event) => event === 'sweep')) await happen[event]()
    const commit = publishing.commit('ada', draft_id, tool)
    const outcome = answer === 'made' ? (await commit).tool_id : (await refusal(commit)).split(':')[0]
    expect(outcome).toBe(answer === 'made' ? tool_id : answer)
  })

  verifies('draft.expiry', 'is forgotten in the end, and so is one that was committed', async () => {
    const { clock, publishing, store } = publishingBed()
    await publishing.mint('ada', named)
    await publishing.commit('ada', (await publishing.mint('ada', named)).draft_id, tool)
    for (const ms of [DAY, limits.DRAFT_KEPT_MS]) {
      await clock.advance(ms)
      await publishing.sweep()
    }
    expect((await store.scan(reservations, 'dueAt', { limit: 9 })).rows).toEqual([])
    expect((await publishing.own('ada')).plugs).toHaveLength(1)
  })

  verifies('draft.mint', 'is one of 64 of a user; those that are over do not count', async () => {
    const { clock, publishing } = publishingBed()
    for (let count = 0; count < 64; count += 1) await publishing.mint('ada', named)
    expect(await refusal(publishing.mint('ada', named))).toMatch(/^quota_exceeded: at most 64 drafts/)
    await publishing.mint('eve', named)
    await clock.advance(DAY)
    await publishing.mint('ada', named)
  })

  verifies('draft.commit', 'is nobody else’s', async () => {
    const { publishing } = publishingBed()
    const { draft_id } = await publishing.mint('ada', named)
    const foreign = await refusal(publishing.commit('eve', draft_id, tool))
    const absent = await refusal(publishing.commit('eve', 'drf_none', tool))
    expect(foreign.replace(draft_id, 'drf_none')).toBe(absent)
    expect(absent).toBe('not_found: there is no draft "drf_none" of this user')
  })
})
