import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { describe, expect } from 'vitest'
import { named, publishingBed, skill, tool, weather } from '../../testing/publishing.ts'
import { refusal } from '../../testing/services.ts'

describe('what a commit brings', () => {
  verifies.each(['plug.manifest', 'plug.type', 'plug.distribution.types', 'plug.descriptive'])([
    ['tool', {}, 'invalid_arg: distribution is required for a plugin of type'],
    ['tool', { distribution: tool.distribution }, 'agent_unavailable: no runner of this user is online'],
    ['tool', { distribution: tool.distribution }, 'agent_unavailable: '],
    [
      'tool',
      { manifest: tool.manifest },
      'invalid_arg: distribution is required for a plugin of type "tool"',
    ],
    ['tool', { ...tool, manifest: { tools: [] } }, 'invalid_arg: manifest.name must be a string'],
    [
      'tool',
      { ...tool, distribution: { type: 'local', path: 'x' } },
      'invalid_arg: distribution.path must be an abs',
    ],
    [
      'tool',
      { ...tool, visibility: 'secret' },
      'invalid_arg: visibility must be one of "private", "app_bundled"',
    ],
    [
      'tool',
      { ...tool, logo_url: 'http://site.org/x.png' },
      'invalid_arg: logo_url must begin with https://',
    ],
    [
      'tool',
      { ...tool, logo_url: 'https://127.0.0.1/x.png' },
      'invalid_arg: logo_url must name a public host',
    ],
    ['tool', { ...tool, tags: ['a', 'a'] }, 'invalid_arg: tags must not hold one entry twice'],
    ['tool', { ...tool, tags: [' '] }, 'invalid_arg: tags.0 must have a visible character'],
    ['tool', { ...tool, sample_prompts: 'x' }, 'invalid_arg: sample_prompts must be an array'],
    [
      'tool',
      { ...tool, readme: 'x'.repeat(65_537) },
      'invalid_arg: readme must have at most 65536 characters',
    ],
    ['skill', {}, 'invalid_arg: manifest is required for a skill'],
    ['skill', { manifest: skill.manifest }, 'invalid_arg: readme is required for a skill'],
    ['skill', { ...skill, readme: '' }, 'invalid_arg: readme is required for a skill'],
    [
      'skill',
      { ...skill, distribution: tool.distribution },
      'invalid_arg: distribution must be left out for a skill',
    ],
    [
      'skill',
      { ...skill, manifest: weather() },
      'invalid_arg: manifest.tools must be empty for a skill, got 1',
    ],
  ])('for a %s, %j: %s', async (type, body, sentence) => {
    const { publishing } = publishingBed()
    const { draft_id } = await publishing.mint('ada', { name: 'X', type })
    expect(await refusal(publishing.commit('ada', draft_id, body))).toContain(sentence)
    expect((await publishing.own('ada')).plugs).toEqual([])
  })

  verifies('plug.distribution.binary', 'is held to public URLs for binaries', async () => {
    const { publishing } = publishingBed()
    const binary = (url: string) => ({
      ...named,
      manifest: weather(),
      distribution: {
        type: 'binary',
        urls: { 'linux-x64': { url, sha256: 'a'.repeat(64) } },
        executable_name: 'w',
      },
    })
    for (const url of [
      'http://site.org/w',
      'https://10.0.0.1/w',
      'https://me@site.org/w',
      'https://localhost/w',
    ])
      expect(await refusal(publishing.create('ada', binary(url)))).toMatch(
        /^invalid_arg: distribution\.urls\.linux-x64\.url must /,
      )
    await publishing.create('ada', binary('https://get.site.org/w'))
  })

  verifies('plug.distribution.needs', 'names in the folders of its reach only what is in env', async () => {
    const { publishing } = publishingBed()
    const folders = [{ path: '${VAULT}/x', access: 'write' }]
    const manifest = { ...weather(), reach: { folders } }
    const create = (env?: object) =>
      publishing.create('ada', { ...named, manifest, distribution: { ...tool.distribution, env } })
    const refused = 'invalid_arg: manifest.reach.folders.0.path must not name ${VAULT}'
    expect(await refusal(create())).toContain(refused)
    expect(await refusal(create({ VAULTS: {} }))).toContain(`${refused}: it is not one of`)
    expect(await create({ VAULT: {} })).toMatchObject({ manifest: { reach: { folders } } })
  })

  verifies('plug.manifest', 'has a manifest of at most 256 KiB', async () => {
    const { publishing } = publishingBed()
    const manifest = { name: 'x', credentials: ['y'.repeat(262_144)] }
    expect(await refusal(publishing.create('ada', { ...named, ...tool, manifest }))).toMatch(
      /^invalid_arg: manifest must have at most 262144 bytes, got \d+/,
    )
  })

  verifies(['plug.descriptive', 'plug.type'], 'is kept as it came: a skill with everything', async () => {
    const { publishing } = publishingBed()
    const texts = {
      logo_url: 'https://site.org/x.png',
      readme: '# Haiku',
      sample_prompts: ['Write one about rain.'],
      tags: ['poems'],
    }
    const made = await publishing.create('ada', { name: 'Haiku', type: 'skill', ...skill, ...texts })
    expect(made).toMatchObject({
      type: 'skill',
      distribution: null,
      manifest: { name: 'haiku', tools: [] },
      ...texts,
    })
  })

  verifies('draft.commit', 'makes at most 100 plugins of one user', async () => {
    const { publishing } = publishingBed({ limits: { PLUGS_PER_USER: 2 } })
    const made = await publishing.create('ada', { ...named, ...tool })
    await publishing.create('ada', { ...named, ...tool })
    expect(await refusal(publishing.create('ada', { ...named, ...tool }))).toMatch(
      /^quota_exceeded: .* 2 plugins/,
    )
    await publishing.create('eve', { ...named, ...tool })
    await publishing.remove('ada', made.tool_id)
    await publishing.create('ada', { ...named, ...tool })
    expect(limits.PLUGS_PER_USER).toBe(100)
  })
})
