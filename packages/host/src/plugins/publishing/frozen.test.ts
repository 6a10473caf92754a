import { verifies } from '@svc/conformance/verifies'
import type { Distribution } from '@svc/contract'
import { describe, expect } from 'vitest'
import { named, npm, publishingBed, tool } from '../../testing/publishing.ts'
import { refusal } from '../../testing/services.ts'

const package_name = 'weather-plugin'
const floating: Distribution = { type: 'npm', package_name }
const integrity = `sha512-${'A'.repeat(86)}==`

const sentence = (got: string, type = 'npm') =>
  `invalid_arg: the ${type} distribution of a published version of TOOL must name an exact version, got ${got}`

/** A private plugin of ada that comes like this. */
async function scene(distribution: Distribution) {
  const bed = publishingBed()
  const { tool_id } = await bed.publishing.create('ada', { ...named, ...tool, distribution })
  const versions = async () => (await bed.publishing.versions('ada', tool_id)).map(({ version }) => version)
  const told = async (work: Promise<unknown>) => (await refusal(work)).replace(tool_id, 'TOOL')
  return { ...bed, tool_id, versions, told }
}

describe('a package without an exact version', () => {
  verifies.each('plug.frozen.exact')([
    [floating, 'npm', 'none'],
    [{ type: 'npm', package_name, version: 'latest' }, 'npm', '"latest"'],
    [{ type: 'npm', package_name, version: '1.x' }, 'npm', '"1.x"'],
    [{ type: 'uv', package_name }, 'uv', 'none'],
    [{ type: 'pipx', package_name, version: 'newest' }, 'pipx', '"newest"'],
  ] satisfies [Distribution, string, string][])(
    '%j is a draft and no version',
    async (distribution, type, got) => {
      const { publishing, tool_id, told, versions } = await scene(distribution)
      for (const work of [
        publishing.publish('ada', tool_id, {}),
        publishing.preview('ada', tool_id, {}),
        publishing.edit('ada', tool_id, { visibility: 'public' }),
        publishing.edit('ada', tool_id, { visibility: 'app_bundled' }),
      ])
        expect(await told(work)).toBe(sentence(got, type))
      expect(await versions()).toEqual([])
      expect((await publishing.get('ada', tool_id)).visibility).toBe('private')
    },
  )

  verifies('plug.frozen.exact', 'is not made at all where others were to see it at once', async () => {
    const { publishing } = publishingBed()
    const body = { ...named, ...tool, distribution: floating, visibility: 'public' }
    expect(await refusal(publishing.create('ada', body))).toMatch(/must name an exact version, got none$/)
    expect((await publishing.own('ada')).plugs).toEqual([])
  })

  verifies('plug.frozen.exact', 'may be edited in where a version is frozen, and shown', async () => {
    const { publishing, tool_id, versions } = await scene({ ...npm, integrity })
    await publishing.publish('ada', tool_id, {})
    expect((await publishing.get('ada', tool_id)).distribution).toEqual({ ...npm, integrity })
    await publishing.edit('ada', tool_id, { distribution: floating })
    expect((await publishing.edit('ada', tool_id, { visibility: 'public' })).visibility).toBe('public')
    expect(await versions()).toEqual(['1.0.0'])
  })
})
