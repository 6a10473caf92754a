import { type Rule, secret, shown, textThat } from '@svc/node/options'

/** A setting as it was meant: without the blanks, line ends and quotes that files, shells and copies leave around it. */
export const meant = (setting: string): string =>
  setting
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim()

/** A key as it was meant: some copy the word before it too. */
export const meantKey = (key: string): string =>
  meant(meant(key).replace(/^(authorization:\s*)?bearer\s+/i, ''))

const MUST_BE_ADDRESS = 'must be an http or https address without a user, such as https://api.site.org/v1'

/** The base URL of a server. No error shows its user or the values of its query, which may be keys. */
export const baseUrlRule: Rule = (value, name) => {
  const text = String(value)
  const fault = addressFault(text)
  return fault === null ? null : `${name} ${MUST_BE_ADDRESS}, got ${shown(text.split('?')[0])}: ${fault}`
}

function addressFault(text: string): string | null {
  if (!/^[a-z+.-]+:\/\//i.test(text)) return 'write http:// or https:// before it'
  if (!/^https?:/i.test(text)) return 'it has another protocol'
  if (/\s/.test(text)) return 'it has a blank in it'
  const url = URL.parse(text)
  if (!url) return 'its name or port cannot be read'
  return url.username + url.password === '' ? null : 'write the key into SVC_LLM_API_KEY'
}

const keyText = secret(textThat('must be one line of characters that a header can have', /^[\x21-\x7e]+$/))

/** The key of a server. No error shows it. */
export const keyRule: Rule = (value, name) => {
  const problem = keyText(value, name)
  const at = String(value).search(/[^\x21-\x7e]/)
  if (problem === null || at === -1) return problem
  const character = /\s/.test(String(value)[at] ?? '') ? 'a blank' : 'none that a key can have'
  return `${problem}, of which number ${at + 1} is ${character}`
}
