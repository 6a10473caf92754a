import { describe, expect, it } from 'vitest'
import { freezeNote } from './visibility.ts'

describe('what a change of visibility does', () => {
  it.each([
    ['private', 'public', 0, 'This freezes version 1.2.0'],
    ['private', 'app_bundled', 0, 'This freezes version 1.2.0'],
    ['private', 'public', 2, null],
    ['public', 'app_bundled', 1, null],
    ['public', 'private', 1, 'can no longer call it'],
    ['private', 'private', 0, null],
  ] as const)('from %s to %s with %i versions', (from, to, versions, words) => {
    const note = freezeNote(from, to, versions, '1.2.0')
    if (words === null) expect(note).toBeNull()
    else expect(note).toContain(words)
  })
})
