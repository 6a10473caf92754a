import { visibleText } from '@svc/contract/visible-text'

/** Characters of a server's words that the log gets. */
const EXCERPT_CHARS = 300
/** A piece of a secret of this many characters is taken for it. */
const PIECE_CHARS = 4
/** How the keys of known services begin, and words that come before one. */
const KEY_LIKE = /(^|[^a-z])(sk|pk|rk|gsk|xai|hf|nvapi|key|api|tok|token|bearer|basic)[-_][^\s]/i
/** A word of this length that mixes digits and both cases is a key rather than a name. */
const RANDOM_CHARS = 20
const HIDDEN = '[…]'

/**
 * The beginning of what a server said, for the log of an operator: without each word that has a piece of a secret of the
 * request, is masked, or looks like a key.
 */
export function excerpt(words: string, secrets: readonly string[]): string {
  const pieces = new Set(secrets.flatMap(piecesOf))
  const kept = visibleText(words)
    .slice(0, EXCERPT_CHARS)
    .split(/(\s+)/)
    .map((word) => (isSecret(word, pieces) ? HIDDEN : word))
    .join('')
  return words.length > EXCERPT_CHARS ? `${kept}…` : kept
}

function piecesOf(secret: string): string[] {
  const text = secret.toLowerCase()
  if (text.length <= PIECE_CHARS) return text === '' ? [] : [text]
  return Array.from({ length: text.length - PIECE_CHARS + 1 }, (_, at) => text.slice(at, at + PIECE_CHARS))
}

function isSecret(word: string, pieces: ReadonlySet<string>): boolean {
  if (word.trim() === '') return false
  const text = word.toLowerCase()
  for (const piece of pieces) if (text.includes(piece)) return true
  return word.includes('**') || KEY_LIKE.test(word) || isRandom(word)
}

const isRandom = (word: string): boolean =>
  (word.match(/[A-Za-z0-9]{8,}/g) ?? []).some(
    (run) => run.length >= RANDOM_CHARS || (/\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run)),
  )
