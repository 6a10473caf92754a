import { type BrowserFeature, browserFeatures } from '@svc/contract/browser-features'

const sentence = ({ instead = '' }: BrowserFeature): string =>
  `${instead.charAt(0).toUpperCase()}${instead.slice(1)}.`
const EXAMPLE = 'https://example.org'
const STORAGE =
  'An app in a sandbox has no storage of the browser. Keep values with svc.storage ("storage": ["get", "set"] in ui.host_api).'

/** What browsers say of what no app may do, and what does it instead; the words are of Chromium, Firefox and WebKit. */
const refused: readonly (readonly [said: RegExp, hint: string])[] = [
  [
    /Failed to fetch|NetworkError when attempting to fetch|^\W*(?:Unhandled rejection: )?TypeError: Load failed|Failed to execute '(send|open)' on 'XMLHttpRequest'|Failed to construct '(WebSocket|EventSource)'/,
    `The host lets apps reach no address by themselves. ${sentence(browserFeatures.otherOrigins)}`,
  ],
  [/an app in a window has no (localStorage|sessionStorage|cookies|IndexedDB)/, STORAGE],
  [
    /(localStorage|sessionStorage|indexedDB|caches|CacheStorage|cookie)\b.*(sandboxed|insecure|denied|opaque)|(Forbidden in|The operation is insecure|The document is sandboxed)/i,
    STORAGE,
  ],
  [
    /EvalError|unsafe-eval|Function constructor.*Content Security Policy/i,
    `The policy of apps lets no text run as code: no eval and no new Function. ${sentence(browserFeatures.eval)}`,
  ],
]

/** What an app uses in place of what its sandbox refused; `null`: the error is of another kind. */
export const insteadOf = (message: string): string | null =>
  refused.find(([said]) => said.test(message))?.[1] ?? null

/** What a policy refuses an app by directive, and what it uses instead. */
const directives: ReadonlyMap<string, readonly [what: string, feature: BrowserFeature]> = new Map([
  ['connect-src', ['asked', browserFeatures.otherOrigins]],
  ['img-src', ['asked for an image', browserFeatures.otherImages]],
  ['font-src', ['asked for a font', browserFeatures.otherFonts]],
  ['style-src-elem', ['asked for a style sheet', browserFeatures.otherFonts]],
  ['script-src-elem', ['asked for a script', browserFeatures.otherFonts]],
  ['media-src', ['asked for audio or video', browserFeatures.otherFonts]],
])

/** What the policy refused an app that asked another origin, in a sentence with a hint; `null`: it is of another kind. */
export function refusedOrigin(directive: string, blocked: string): { message: string; hint: string } | null {
  const [what, feature] = directives.get(directive) ?? []
  if (!feature || !URL.canParse(blocked)) return null
  const { protocol, host } = new URL(blocked)
  if (!/^(https?|wss?):$/.test(protocol)) return null
  const origin = `${protocol}//${host}`
  return {
    message: `${origin} was ${what}, and the host lets apps reach no other origin by themselves`,
    hint: sentence(feature).replace(EXAMPLE, origin),
  }
}
