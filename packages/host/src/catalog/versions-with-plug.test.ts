import { memoryStore } from '@svc/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type VersionRow, versions } from './records.ts'
import { versionsWithPlug } from './versions-with-plug.ts'

const NAMES = Array.from({ length: 12 }, (_, n) => `plug-${n}`)
const name = fc.constantFrom(...NAMES)
const plug = fc.oneof(
  name,
  fc.record({ tool_id: name }),
  fc.record({ handle: name }),
  fc.record({ tool_id: name, handle: name }),
)
const plugs = fc.array(plug, { maxLength: 8 })
const manifest = fc.record({ required_plugs: plugs, optional_plugs: plugs })
const rowOf = (of: object) => ({ app_id: 'app', version: '1.0.0', digest: 'd', manifest: of }) as VersionRow

it('finds each version by every name that its manifest has, few or many, once, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(manifest, { maxLength: 12 }), name, name, async (manifests, one, other) => {
      const store = memoryStore()
      for (const [n, of] of manifests.entries()) await store.insert(versions, `v${n}`, rowOf(of))
      const found: string[] = []
      for await (const { id } of versionsWithPlug(store, [one, other])) found.push(id)
      // Of these manifests a name is in the text wherever it is declared, and nowhere else.
      const texts = manifests.map((of) => JSON.stringify(of))
      const has = (text: string) => text.includes(`"${one}"`) || text.includes(`"${other}"`)
      expect(found.sort()).toEqual(texts.flatMap((text, n) => (has(text) ? [`v${n}`] : [])).sort())
    }),
  )
})
