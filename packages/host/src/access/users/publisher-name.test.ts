import { verifies } from '@svc/conformance/verifies'
import { describe, expect } from 'vitest'
import { publisherSkeleton, readPublisherName } from './publishers.ts'

describe('the name of a publisher', () => {
  verifies.each('publisher.name')([
    ['as it is', 'Discord Inc.', 'Discord Inc.'],
    ['spaces at its ends, and many', '  Discord   Inc. ', 'Discord Inc.'],
    ['a space that does not break', 'Discord\u00a0Inc.', 'Discord Inc.'],
    ['fullwidth', 'Ｄｉｓｃｏｒｄ', 'Discord'],
    ['a ligature', 'Oﬃce', 'Office'],
    ['an accent on its own', 'Cafe\u0301', 'Café'],
    ['Cyrillic', 'Яндекс', 'Яндекс'],
    ['Japanese', '日本カメラ', '日本カメラ'],
    ['Korean', '삼성電子', '삼성電子'],
    ['Hindi', 'हिन्दी', 'हिन्दी'],
    ['digits', '4711', '4711'],
    ['64 characters', 'x'.repeat(64), 'x'.repeat(64)],
  ])('%s', (_, text, name) => expect(readPublisherName(text)).toBe(name))

  verifies.each('publisher.name')([
    ['a Cyrillic а among Latin letters', 'Discоrd', 'letters of one script'],
    ['a Greek Ο among Latin letters', 'CΟRP', 'letters of one script'],
    ['a small capital', 'ᴅiscord', 'letters of one script'],
    ['a zero width space', 'Dis\u200bcord', 'invisible'],
    ['a zero width joiner', 'Dis\u200dcord', 'invisible'],
    ['a right-to-left override', '\u202edrocsiD', 'invisible'],
    ['an isolate', 'Dis\u2066cord', 'invisible'],
    ['a soft hyphen', 'Dis\u00adcord', 'invisible'],
    ['a Hangul filler', '삼\u3164성', 'invisible'],
    ['a line break', 'Discord\nInc.', 'invisible'],
    ['a line separator', 'Discord\u2028Inc.', 'letters of one script'],
    ['a tag character', 'Discord\u{e0041}', 'invisible'],
    ['marks upon marks', 'Disco\u0334\u0335\u0336rd', 'stacked combining marks'],
    ['brackets', 'Discord (verified)', 'letters of one script'],
    ['a picture', 'Discord ✔', 'letters of one script'],
    ['only spaces', '   ', 'a letter or a digit'],
    ['only punctuation', '...', 'a letter or a digit'],
    ['65 characters once it is normalised', `${'x'.repeat(63)}ﬀ`, 'at most 64 characters, got 65'],
  ])('with %s is refused', (_, text, why) =>
    expect(() => readPublisherName(text)).toThrow(
      expect.objectContaining({ code: 'invalid_arg', message: expect.stringContaining(why) }),
    ),
  )

  verifies.each('publisher.unique')([
    ['case', 'Discord', 'DISCORD', true],
    ['spaces and punctuation', 'Discord Inc.', 'discord-inc', true],
    ['accents', 'Discord', 'Díscörd', true],
    ['a stroke', 'Discord', 'Discørđ', true],
    ['a letter without its dot', 'Discord', 'Dıscord', true],
    ['fullwidth', 'Discord', readPublisherName('Ｄｉｓｃｏｒｄ'), true],
    ['digits for letters', 'Google', 'G00gle', true],
    ['an l for an I', 'Intel', 'lntel', true],
    ['rn for m', 'amazon', 'arnazon', true],
    ['all Cyrillic', 'coca', 'соса', true],
    ['Cyrillic capitals', 'BMT', 'ВМТ', true],
    ['all Greek', 'KATE', 'ΚΑΤΕ', true],
    ['a final sigma', 'ΟΔΟΣ', 'οδοσ', true],
    ['another name', 'Discord', 'Discard', false],
    ['a longer name', 'Discord', 'Discord Inc', false],
    ['vowel signs', 'कि', 'का', false],
  ])('%s: %s and %s', (_, one, other, isSame) =>
    expect(publisherSkeleton(one) === publisherSkeleton(other)).toBe(isSame),
  )
})
