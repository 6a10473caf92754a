import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { explain } from '../methods/define.ts'
import { pluginManifestSchema } from './plugin-manifest.ts'

const tool = { name: 'forecast', parameters: [{ name: 'city', type: 'string', required: true }] }

function fault(input: unknown): string | null {
  const parsed = pluginManifestSchema.safeParse(input)
  return parsed.success ? null : explain(parsed.error, input)
}

describe('the manifest of a plugin', () => {
  it('is what describe answers', () => {
    const manifest = {
      name: 'weather',
      version: '1.0.0',
      tools: [
        {
          ...tool,
          description: 'The weather.',
          input_schema: { type: 'object' },
          output_schema: { type: 'object' },
          timeout_ms: 5_000,
        },
      ],
      credentials: [{ name: 'key' }],
      host_capabilities: ['llm.sample'],
    }
    expect(pluginManifestSchema.parse(manifest)).toEqual(manifest)
  })

  verifies('plug.manifest.whole', 'keeps what it does not know, and fills in empty lists', () => {
    const parameters = [{ name: 'city', type: 'string', example: [1, null] }]
    const given = { name: 'x', more: { a: 1 }, tools: [{ name: 'a', parameters, hint: 'b' }, { name: 'c' }] }
    expect(pluginManifestSchema.parse(given)).toEqual({
      ...given,
      tools: [given.tools[0], { name: 'c', parameters: [] }],
    })
  })

  // Rubbish in a declared timeout is ignored.
  verifies.each('plug.manifest')(['5000', 1.5, null, true])('a timeout_ms of %j is ignored', (timeout_ms) =>
    expect(pluginManifestSchema.parse({ name: 'x', tools: [{ ...tool, timeout_ms }] }).tools[0]).toEqual(
      tool,
    ),
  )

  verifies.each(['plug.manifest', 'plug.version.semver'])([
    [{}, 'name must be a string, got nothing'],
    [{ name: '' }, 'name must have at least 1 character'],
    [{ name: 'x', version: '1.0' }, 'version must be SemVer such as 1.0.0, got "1.0"'],
    [{ name: 'x', version: `1.0.0-${'a'.repeat(64)}` }, 'version must have at most 64 characters'],
    [{ name: 'x', tools: {} }, 'tools must be an array'],
    [{ name: 'x', tools: [{}] }, 'tools.0.name must be a string'],
    [{ name: 'x', tools: [tool, tool] }, 'tools.1.name is listed twice among the tools, got "forecast"'],
    [{ name: 'x', tools: [{ name: '__proto__' }] }, 'tools.0.name must not be __proto__'],
    [
      { name: 'x', tools: [{ name: 'a', parameters: [{ name: 'b' }, { name: 'b' }] }] },
      'tools.0.parameters.1.name is listed twice among the parameters',
    ],
    [
      { name: 'x', tools: Array.from({ length: 257 }, (_, at) => ({ name: `t${at}` })) },
      'tools must have at most 256 items',
    ],
    [[], 'args must be an object'],
    [null, 'args must be an object'],
  ])('%j: %s', (input, sentence) => expect(fault(input)).toContain(sentence))
})
