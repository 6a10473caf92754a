import type { Body } from './body.ts'
import { freePaths } from './paths.ts'
import type { RefusalWords } from './refusal-words.ts'

/** How servers say that they do not want something. */
const UNWANTED =
  /unsupported|not supported|n't supported|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|only allowed|extra|(?:not|n't) support|not valid|invalid (?:field|parameter|argument|property|key|option|name)|cannot find|forbidden|not accepted|not available|not implemented|deprecated|only supports?|must not|not a valid|no such|not enabled/

/** A field that only says what servers do anyway: any word against it is enough. */
const FREE = 'tool_choice'

/** The paths that a server names as what it does not want of a body, and that a request can go without. */
export const namedFields = ({ text, named }: RefusalWords, body: Body): string[] =>
  [...freePaths(body)].filter(
    (path) => (path === FREE || UNWANTED.test(text)) && named.some((one) => isAt(one, path)),
  )

/** The paths of a body that the words of a server are about. */
export const saidFields = ({ text }: RefusalWords, body: Body): string[] =>
  [...freePaths(body)].filter((path) => (path === FREE || UNWANTED.test(text)) && isSaid(text, path))

/** Whether a place that a server names is that path: between its parts there may be words of the server's own. */
function isAt(named: string, path: string): boolean {
  const [said, names] = [named.split('.'), path.split('.')]
  if (said[0] !== names[0] || said.at(-1) !== names.at(-1)) return false
  let at = 0
  for (const name of said) if (name === names[at]) at += 1
  return at === names.length
}

/** Whether a text has the name of a field; a field of messages or tools is named in quotes or behind a dot. */
function isSaid(text: string, path: string): boolean {
  const names = path.toLowerCase().split('.')
  const last = names.at(-1) ?? ''
  const forms = [last, last.replaceAll('_', '')].map((form) => form.replaceAll(/[^a-z0-9_]/g, '.'))
  const pattern = names.length === 1 ? `\\b(?:${forms.join('|')})\\b` : `[.'"\`](?:${forms.join('|')})['"\`]`
  return new RegExp(pattern).test(text)
}
