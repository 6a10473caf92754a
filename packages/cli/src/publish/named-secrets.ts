import type { Distribution } from '@svc/contract'
import { writtenSecrets } from '../project/written-secrets.ts'

/** A name of what is secret: of a variable, or of an option of a program. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSW(OR)?D|PASS|PWD|CREDENTIALS?|AUTH|DSN)$/i
/** What a key looks like whose maker nobody knows: long, without blanks, with digits and letters. */
const KEY_LIKE = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+/=:-]{16,}$/

/**
 * What looks like a secret in the arguments and variables of a distribution, which everybody may read who installs it: where
 * it is, and what it looks like.
 */
export function namedSecrets({
  args = [],
  env = {},
}: Distribution): { readonly at: string; readonly what: string }[] {
  const texts = [
    ...args.map(
      (text, n) => [`args.${n}`, text, optionOf(text) ?? optionOf(args[n - 1] ?? '') ?? ''] as const,
    ),
    ...Object.entries(env).flatMap(([name, one]) => {
      const text = typeof one === 'string' ? one : one.default
      const at = typeof one === 'string' ? `env.${name}` : `env.${name}.default`
      return text === undefined ? [] : [[at, text, name] as const]
    }),
  ]
  return texts.flatMap(([at, text, name]) => {
    const [known] = writtenSecrets(Buffer.from(text))
    if (known) return [{ at, what: known.what }]
    const value = text.slice(text.startsWith('-') ? text.indexOf('=') + 1 : 0)
    const isKey = SECRET_NAME.test(name) && KEY_LIKE.test(value) && !/^(\/|https?:)/.test(value)
    return isKey ? [{ at, what: `a secret (${value.length} characters)` }] : []
  })
}

/** The name of the option that a word is: `api-key` of `--api-key=…`. */
const optionOf = (word: string): string | undefined => /^--?([\w-]+)/.exec(word)?.[1]
