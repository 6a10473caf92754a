import { expect, it } from 'vitest'
import { once } from './document.ts'

it('makes a thing once a document, whichever copy of the SDK asks', async () => {
  const mine = once('thing', () => ({}))
  // Another copy of the module, as a second bundle would bring it.
  const copy = (await import('./document.ts?copy' as './document.ts')) as typeof import('./document.ts')
  expect(copy.once).not.toBe(once)
  expect(copy.once('thing', () => ({}))).toBe(mine)
})
