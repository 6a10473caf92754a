import { type Rule, textThat } from '@svc/node/options'
import { counted, type Known, NO_FIELD, quirks } from './dialect/quirks.ts'

/** Splits the names of quirks in one text: blanks or commas are between them. */
export const quirkNames = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

const NUMBERED = /^([a-z_]+)=([1-9]\d{0,8})$/
const isKnown = (name: string): boolean => {
  const [, quirk = ''] = NUMBERED.exec(name) ?? []
  if (counted.has(quirk)) return true
  return (Object.hasOwn(quirks, name) && !counted.has(name)) || /^no:[\w.]+$/.test(name)
}
const forms = Object.keys(quirks).map((name) => (counted.has(name) ? `${name}=8` : name))

/** The name of one quirk. */
export const quirkRule: Rule = textThat(
  `must be one of ${forms.join(', ')}, or ${NO_FIELD} and a field that the server does not take`,
  isKnown,
)

/** The names of quirks in one text. */
export const quirksRule: Rule = (value, name) =>
  quirkNames(String(value))
    .map((one) => quirkRule(one, name))
    .find((problem) => problem !== null) ?? null

/** What names that were judged say of a server. */
export const knownOf = (names: readonly string[]): Known =>
  new Map(
    names.map((name) => {
      const [, quirk = name, value = '1'] = NUMBERED.exec(name) ?? []
      return [quirk, Number(value)]
    }),
  )
