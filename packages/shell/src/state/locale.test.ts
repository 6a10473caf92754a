import { expect, it } from 'vitest'
import { localeOf } from './locale.ts'

it.each([
  [['de-AT', 'en'], 'de-AT'],
  [['C', 'fr'], 'fr'],
  [['C.'], 'en'],
  [[], 'en'],
])('takes of the languages %j the language %s', (languages, locale) => {
  expect(localeOf(languages)).toBe(locale)
})
