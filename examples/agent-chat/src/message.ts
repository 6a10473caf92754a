import { make } from './make.ts'
import { createToolCard, type ToolCard, type ToolOutcome } from './tool-card.ts'
import { showTrouble } from './trouble.ts'

/** What the user said, on the page; images are there as long as the document is. */
export function createQuestion(text: string, images: readonly string[] = []): HTMLElement {
  const shown = images.map((src, at) => make('img', { src, alt: `Image ${at + 1} of ${images.length}` }))
  return make('li', { className: 'question' }, make('p', { className: 'said' }, text), ...shown)
}

/** An answer on the page, while it comes and after. */
export interface Answer {
  readonly element: HTMLElement
  /** Says how far it is, until there is something to read. */
  wait(state: string): void
  say(piece: string): void
  call(id: string, name: string, args: string): void
  result(id: string, outcome: ToolOutcome): void
  /** Marks what was cut off. */
  mark(sentence: string): void
  fail(error: unknown): void
  /** What it said, without its tool calls. */
  text(): string
}

/** Makes an empty answer: texts and tool calls stand in it in the order in which they come. */
export function createAnswer(): Answer {
  const state = make('p', { className: 'soft waiting' })
  const element = make('li', { className: 'answer' }, state)
  const cards = new Map<string, ToolCard>()
  let open: Text | null = null

  function add(part: HTMLElement): void {
    state.remove()
    element.append(part)
    open = null
  }

  return {
    element,
    wait(text) {
      state.textContent = text
    },
    say(piece) {
      if (!open) {
        const text = document.createTextNode('')
        add(make('p', { className: 'said' }, text))
        open = text
      }
      open.appendData(piece)
    },
    call(id, name, args) {
      const card = createToolCard(name, args)
      cards.set(id, card)
      add(card.element)
    },
    result: (id, outcome) => cards.get(id)?.show(outcome),
    mark: (sentence) => add(make('p', { className: 'soft mark' }, sentence)),
    fail(error) {
      const place = make('div')
      showTrouble(place, error)
      add(place)
    },
    text: () => [...element.querySelectorAll('.said')].map((one) => one.textContent).join('\n'),
  }
}
