import { expect, it } from 'vitest'
import { pickDigest } from './pick-digest.ts'

const text = `The mountain Krakatoa blew up in 1883.
People heard it far away. It was a Monday. The mountain sank, and the mountain's waves came on 27 August 1883.
Few slept. Krakatoa is a mountain again since 1927, and 1927 is long ago.`

it('picks words, sentences and dates of a text, and names nobody', () => {
  expect(pickDigest(text)).toEqual({
    title: ['The mountain Krakatoa blew up in 1883'],
    summary: ['The mountain Krakatoa blew up in 1883. People heard it far away.'],
    key_points: [
      'It was a Monday.',
      "The mountain sank, and the mountain's waves came on 27 August 1883.",
      'Krakatoa is a mountain again since 1927, and 1927 is long ago.',
    ],
    dates: ['1883', '27 August 1883', '1927'],
  })
})

it.each([
  ['nothing', '', {}],
  ['a few words', 'Good morning', { title: ['Good morning'], summary: ['Good morning'] }],
  [
    'a long sentence',
    'one two three four five six seven eight nine ten eleven',
    { title: ['one two three four five six seven eight nine ten …'] },
  ],
])('of %s it picks what there is', (_, short, digest) => {
  expect(pickDigest(short)).toMatchObject(digest)
})
