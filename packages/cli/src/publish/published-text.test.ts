import { expect, it } from 'vitest'
import type { PublishReport } from './publish-plug.ts'
import { publishedText } from './published-text.ts'

const base: PublishReport = {
  did: 'unchanged',
  tool_id: 'tool-a',
  version: null,
  from: null,
  changes: null,
  edited: [],
}
const changes = {
  added: ['manifest.tools.b'],
  removed: ['manifest.tools.a'],
  changed: ['distribution'],
  truncated: true,
}
const version: PublishReport = { ...base, did: 'version', version: '1.0.1', from: '1.0.0', changes }

it.each<[Partial<PublishReport>, boolean, string]>([
  [{ did: 'created', version: '1.0.0' }, false, 'published tool-a 1.0.0'],
  [
    {
      did: 'created',
      tool_id: null,
      first: {
        name: 'Weather',
        version: '1.0.0',
        visibility: 'public',
        tools: ['forecast', 'send'],
        distribution: { type: 'npm', package_name: 'weather', version: '0.1.0' },
        asks: 'It may reach sky.org.',
        also: ['readme'],
      },
    },
    true,
    [
      'It would be published for the first time: an id is minted then.',
      '  + name       Weather',
      '  + version    1.0.0',
      '  + visibility public',
      '  + tools      forecast, send',
      '  + from       the npm package weather 0.1.0',
      '  + asks       It may reach sky.org.',
      '  + readme',
    ].join('\n'),
  ],
  [{}, false, 'There are no content changes since it was last published.'],
  [
    { edited: ['name', 'tags'] },
    false,
    'There are no content changes since it was last published.\n  edited: name, tags',
  ],
  [
    { edited: ['name'] },
    true,
    'There are no content changes since it was last published.\n  would edit: name',
  ],
  [{ ...version, from: null, changes: null }, false, 'published tool-a 1.0.1, its first version'],
  [
    version,
    true,
    'would publish tool-a 1.0.1, after 1.0.0\n  + manifest.tools.b\n  - manifest.tools.a\n  ~ distribution\n  … and more',
  ],
])('says %j with dry run %j', (published, dryRun, text) => {
  expect(publishedText({ ...base, ...published }, dryRun)).toBe(text)
})
