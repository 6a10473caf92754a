import { isIP } from 'node:net'
import { having, textThat, whole } from './rules.ts'

const PORT_MAX = 65_535

/** A port, or 0 for a free one. */
export const port = whole(0, PORT_MAX)

/** An address to listen on. */
export const address = textThat(
  'must be an address of this machine such as 127.0.0.1, 0.0.0.0 or localhost',
  (text) => isIP(text) !== 0 || /^[a-z][a-z\d.-]*$/i.test(text),
)

/** A clock. */
export const clock = having('now', 'setTimer')

/** A URL with one of some protocols, such as `https:`. */
export const url = (example: string, ...protocols: readonly string[]) =>
  textThat(
    `must be a URL such as ${example}`,
    (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
  )
