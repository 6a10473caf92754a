import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { explain, manifestJsonSchema, manifestSchema, unknownKeys } from '../packages/contract/src/index.ts'

const pages = [
  'README.md',
  ...globSync('docs/{*,guides/*,reference/*,decisions/*}.md'),
  ...globSync('{packages,examples}/*/README.md'),
]
/** By one of these keys a snippet is known as a manifest, or as a part of one from its root. */
const marks = ['ui', 'host_api', 'views', 'bundle', 'required_plugs', 'optional_plugs']
const isManifest = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && marks.some((mark) => Object.hasOwn(value, mark))

/** The JSON of a page: in blocks, and in lines of text such as `"ui": { … }`. */
function snippetsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, block = '']) => block)
  const lines = [...text.matchAll(/`("(?:\w+)": [[{][^`]*)`/g)].map(([, line = '']) => `{${line}}`)
  return [...blocks, ...lines]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const found = pages.flatMap((page) =>
  snippetsOf(readFileSync(page, 'utf8'))
    .map(parsed)
    .filter(isManifest)
    .map((manifest) => ({ page, manifest })),
)

it('there are manifests in the pages', () => {
  expect(found.map(({ page }) => page)).toEqual(
    expect.arrayContaining([
      'docs/guides/sessions.md',
      'docs/guides/models.md',
      'docs/reference/manifest.md',
    ]),
  )
})

it.each(found)('the manifest $manifest in $page is one', ({ manifest }) => {
  expect(unknownKeys(manifest, manifestJsonSchema())).toEqual([])
  const whole = {
    schema: 3,
    name: 'A',
    ...manifest,
    ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], ...(manifest.ui as object) },
  }
  const read = manifestSchema.safeParse(whole)
  expect(read.success || explain(read.error, whole)).toBe(true)
})

it.each(globSync('examples/*/public/manifest.json'))(
  '%s has no key that nobody reads, and a schema',
  (file) => {
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    expect(unknownKeys(manifest, manifestJsonSchema())).toEqual([])
    expect(manifest.$schema).toBe('../node_modules/@svc/cli/manifest.schema.json')
  },
)
