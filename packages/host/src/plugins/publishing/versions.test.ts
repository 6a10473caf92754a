import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { named, npm, publishingBed, tool, weather } from '../../testing/publishing.ts'
import { refusal } from '../../testing/services.ts'

const kinds = ['private', 'app_bundled', 'public'] as const

/** A plugin of ada in a room of its own, at 1.2.3; frozen where it is asked for. */
async function scene(visibility: (typeof kinds)[number] = 'public') {
  const bed = publishingBed()
  const body = { ...named, manifest: weather('The weather.', '1.2.3'), distribution: npm, visibility }
  const { tool_id } = await bed.publishing.create('ada', body)
  const versions = async () => (await bed.publishing.versions('ada', tool_id)).map(({ version }) => version)
  return { ...bed, tool_id, versions }
}

describe('visibility', () => {
  verifies.each(['plug.visibility', 'plug.promotion.snapshot', 'plug.snapshot'])(
    kinds.flatMap((from) => kinds.map((to) => [from, to] as const)),
  )('%s → %s', async (from, to) => {
    const { publishing, tool_id, versions } = await scene(from)
    expect(await versions()).toEqual(from === 'private' ? [] : ['1.2.3'])
    expect((await publishing.edit('ada', tool_id, { visibility: to })).visibility).toBe(to)
    expect(await versions()).toEqual(from === 'private' && to === 'private' ? [] : ['1.2.3'])
    // Only the first promotion freezes: what changed since is not a version until it is published.
    await publishing.edit('ada', tool_id, { manifest: weather('Another.') })
    const before = await versions()
    await publishing.edit('ada', tool_id, { visibility: 'public' })
    expect(await versions()).toEqual(before.length > 0 ? before : ['1.2.3'])
  })
})

describe('a new version', () => {
  verifies.each(['plug.version.bump', 'decision.version.next'])([
    ['no version', {}, '1.2.4'],
    ['the latest in the manifest', { manifest: '1.2.3' }, '1.2.4'],
    ['a higher one in the manifest', { manifest: '2.0.0-beta.1' }, '2.0.0-beta.1'],
    ['a higher one in the body', { body: '1.3.0' }, '1.3.0'],
    ['the latest in the body', { body: '1.2.3' }, '1.2.4'],
    ['the same in both', { body: '1.3.0', manifest: '1.3.0' }, '1.3.0'],
    ['the latest with other build data', { body: '1.2.3+2' }, '1.2.4'],
    ['a lower one in the manifest', { manifest: '1.2.2' }, null],
    ['a pre-release of the latest', { manifest: '1.2.3-rc.1' }, null],
    ['a lower one in the body', { body: '0.9.0' }, null],
    ['two that differ', { body: '1.3.0', manifest: '1.4.0' }, null],
    ['no SemVer', { body: '1.3' }, null],
  ])('with %s', async (_, { body, manifest }: { body?: string; manifest?: string }, version) => {
    const { publishing, tool_id, versions } = await scene()
    const input = { manifest: weather('Better.', manifest), ...(body !== undefined && { version: body }) }
    if (version === null) {
      expect(await refusal(publishing.preview('ada', tool_id, input))).toMatch(/^invalid_arg: version must /)
      expect(await refusal(publishing.publish('ada', tool_id, input))).toMatch(/^invalid_arg: version must /)
      return expect(await versions()).toEqual(['1.2.3'])
    }
    expect(await publishing.preview('ada', tool_id, input)).toMatchObject({ from: '1.2.3', version })
    expect(await publishing.publish('ada', tool_id, input)).toMatchObject({
      tool_id,
      version,
      status: 'active',
    })
    expect(await versions()).toEqual([version, '1.2.3'])
    const live = await publishing.get('ada', tool_id)
    expect([live.version, live.manifest]).toEqual([version, weather('Better.', version)])
  })

  verifies.each(['plug.version.unchanged', 'error.no_content_changes', 'decision.version.unchanged'])([
    ['nothing', {}],
    ['the same manifest', { manifest: weather() }],
    ['the same with another version in it', { manifest: weather('The weather.', '9.0.0') }],
    ['the same with another version beside it', { version: '9.0.0' }],
    ['the same, its names in another order', { manifest: { tools: weather().tools, name: 'weather' } }],
    [
      'the same distribution',
      { distribution: { version: '1.0.0', package_name: 'weather-plugin', type: 'npm' } },
    ],
  ])('of %s is refused', async (_, input) => {
    const { publishing, tool_id, versions } = await scene()
    expect(await refusal(publishing.publish('ada', tool_id, input))).toBe(
      'no_content_changes: There are no content changes since the last published version.',
    )
    expect(await publishing.preview('ada', tool_id, input)).toEqual({
      dry_run: true,
      from: '1.2.3',
      version: null,
      changes: { added: [], removed: [], changed: [], truncated: false },
    })
    expect(await versions()).toEqual(['1.2.3'])
  })

  verifies('decision.version.unchanged', 'is told by its distribution alone, too', async () => {
    const { publishing, tool_id } = await scene()
    const distribution = { ...npm, version: '2.0.0' }
    const { changes } = await publishing.preview('ada', tool_id, { distribution })
    expect(changes).toEqual({ added: [], removed: [], changed: ['distribution.version'], truncated: false })
    expect(await publishing.publish('ada', tool_id, { distribution })).toMatchObject({ version: '1.2.4' })
  })

  verifies(
    ['plug.snapshot', 'version.live_record'],
    'freezes the live record, which may be edited between versions',
    async () => {
      const { publishing, tool_id, versions } = await scene()
      await publishing.edit('ada', tool_id, {
        manifest: weather('Edited.'),
        readme: 'Text is not a content.',
      })
      expect(await versions()).toEqual(['1.2.3'])
      expect(await publishing.publish('ada', tool_id, {})).toMatchObject({ version: '1.2.4' })
      await publishing.edit('ada', tool_id, { name: 'Sky', readme: 'Other text.' })
      expect(await refusal(publishing.publish('ada', tool_id, {}))).toMatch(/^no_content_changes/)
    },
  )

  verifies('plug.snapshot', 'of a private plugin is its first snapshot, and bumps nothing', async () => {
    const { publishing, tool_id, versions } = await scene('private')
    expect(await publishing.preview('ada', tool_id, {})).toMatchObject({ from: null, version: '1.2.3' })
    await publishing.publish('ada', tool_id, {})
    await publishing.edit('ada', tool_id, { visibility: 'public' })
    expect(await versions()).toEqual(['1.2.3'])
  })

  it('is one of 256', async () => {
    const { publishing } = publishingBed({ limits: { PLUG_VERSIONS_MAX: 2 } })
    const { tool_id } = await publishing.create('ada', { ...named, ...tool, visibility: 'public' })
    await publishing.publish('ada', tool_id, { manifest: weather('2') })
    expect(await refusal(publishing.publish('ada', tool_id, { manifest: weather('3') }))).toBe(
      'quota_exceeded: a plugin may have at most 2 versions',
    )
  })
})

describe('marking a version', () => {
  const statuses = ['active', 'deprecated', 'yanked'] as const
  verifies.each('decision.version.mark')(
    statuses.flatMap((from) => statuses.map((to) => [from, to] as const)),
  )('%s → %s', async (from, to) => {
    const { publishing, tool_id } = await scene()
    await publishing.publish('ada', tool_id, { manifest: weather('Better.') })
    await publishing.mark('ada', tool_id, '1.2.3', { status: from })
    const more = to === 'active' ? {} : { reason: 'It leaks.', successor: '1.2.4' }
    const marked = await publishing.mark('ada', tool_id, '1.2.3', { status: to, ...more })
    expect(marked).toMatchObject({ version: '1.2.3', status: to, reason: null, successor: null, ...more })
    expect((await publishing.versions('ada', tool_id))[1]).toEqual(marked)
  })

  verifies('decision.version.yanked', 'a yanked one is not offered, and is there for its owner', async () => {
    const { publishing, tool_id, versions } = await scene()
    const shown = async () => (await publishing.visible('bob')).plugs.map(({ version }) => version)
    await publishing.publish('ada', tool_id, { manifest: weather('Better.') })
    expect(await shown()).toEqual(['1.2.4'])
    await publishing.mark('ada', tool_id, '1.2.4', { status: 'yanked' })
    expect(await shown()).toEqual(['1.2.3'])
    await publishing.mark('ada', tool_id, '1.2.3', { status: 'deprecated' })
    expect(await shown()).toEqual(['1.2.3'])
    await publishing.mark('ada', tool_id, '1.2.3', { status: 'yanked' })
    expect(await shown()).toEqual([])
    expect(await versions()).toEqual(['1.2.4', '1.2.3'])
    await publishing.mark('ada', tool_id, '1.2.4', { status: 'active' })
    expect(await shown()).toEqual(['1.2.4'])
  })

  it.each([
    [{ status: 'gone' }, 'invalid_arg: status must be one of "active", "deprecated", "yanked", got "gone"'],
    [{}, 'invalid_arg: status must be one of'],
    [
      { status: 'active', reason: 'x' },
      'invalid_arg: reason and successor belong to a version that is deprecated',
    ],
    [
      { status: 'yanked', successor: '1.2.3' },
      'invalid_arg: successor must be another version of this plugin',
    ],
    [
      { status: 'yanked', successor: '7.0.0' },
      'invalid_arg: successor must be another version of this plugin',
    ],
    [{ status: 'yanked', successor: '1.2.4' }, 'invalid_arg: successor must not be yanked, got "1.2.4"'],
    [{ status: 'yanked', reason: ' ' }, 'invalid_arg: reason must have a visible character'],
  ])('%j is refused: %s', async (input, sentence) => {
    const { publishing, tool_id } = await scene()
    await publishing.publish('ada', tool_id, { manifest: weather('Better.') })
    await publishing.mark('ada', tool_id, '1.2.4', { status: 'yanked' })
    expect(await refusal(publishing.mark('ada', tool_id, '1.2.3', input))).toContain(sentence)
    expect(await refusal(publishing.mark('ada', tool_id, '9.9.9', { status: 'yanked' }))).toMatch(
      /^not_found: /,
    )
  })
})

describe('what a user may see', () => {
  verifies(
    'route.plugs.list',
    'is everything of the own, and what others made public, by pages',
    async () => {
      const { clock, store, publishing } = publishingBed()
      const other = publishingBed({ clock, store, host: 2 }).publishing
      for (const visibility of kinds)
        await publishing.create('ada', { ...named, name: visibility, ...tool, visibility })
      for (const name of ['one', 'two', 'three']) {
        await clock.advance(1)
        await other.create('bob', { ...named, name, ...tool, visibility: 'public' })
      }
      const names = async (user: string, input?: unknown) => {
        const { plugs, next_cursor } = await publishing.visible(user, input)
        return { names: plugs.map(({ name, own }) => (own ? `${name} (own)` : name)), next_cursor }
      }
      const first = await names('ada', { limit: 2 })
      expect(first.names.slice(0, 3).sort()).toEqual(['app_bundled (own)', 'private (own)', 'public (own)'])
      expect(first.names.slice(3)).toEqual(['three', 'two'])
      const second = await names('ada', { limit: 2, cursor: first.next_cursor })
      expect([second.names, second.next_cursor]).toEqual([['one'], null])
      expect((await names('eve')).names).toEqual(['three', 'two', 'one', 'public'])
      expect(await refusal(publishing.visible('eve', { cursor: 'x' }))).toMatch(
        /^invalid_arg: cursor must be/,
      )
      expect(await refusal(publishing.visible('eve', { limit: 101 }))).toMatch(
        /^invalid_arg: limit must be at most/,
      )
      expect(JSON.stringify(await publishing.visible('eve'))).not.toContain('weather-plugin')
    },
  )
})
