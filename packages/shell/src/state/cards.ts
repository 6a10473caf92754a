import { visibleText } from '@svc/contract/visible-text'
import { detailsText } from './notices.ts'

/** A card that a bundle put into the chat: text only, whatever the bundle sent. */
export interface Card {
  readonly id: string
  readonly at: number
  readonly source: string
  readonly kind: string
  readonly summary: string
  /** What came with it, as a text. */
  readonly data: string
}

/** The cards that are kept; the oldest go first. */
export const CARDS_KEPT = 200
/** The longest text of a card that is shown. */
const TEXT_MAX_CHARS = 4_000

/** Reads an artifact as a card. Only known keys are looked at; everything becomes text. */
export function cardOf(
  artifact: Readonly<Record<string, unknown>>,
  { id, at, source }: Pick<Card, 'id' | 'at' | 'source'>,
): Card {
  const { kind, summary, data } = artifact
  const text = (value: unknown) => visibleText(typeof value === 'string' ? value : detailsText(value))
  const kindText = cut(text(kind)) || 'card'
  return { id, at, source, kind: kindText, summary: cut(text(summary)), data: cut(text(data)) }
}

const cut = (text: string) => (text.length > TEXT_MAX_CHARS ? `${text.slice(0, TEXT_MAX_CHARS)}…` : text)
