import { make } from './make.ts'

/** How a tool call ended, as its frame and the history tell it. */
export interface ToolOutcome {
  readonly output?: unknown
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

/** A tool call on the page. */
export interface ToolCard {
  readonly element: HTMLElement
  show(outcome: ToolOutcome): void
}

/** Makes the card of a call; `args` is JSON text, as the model wrote it. */
export function createToolCard(name: string, args: string): ToolCard {
  const state = make('span', { className: 'tool-state', textContent: 'called' })
  // What scrolls can be reached by the keyboard.
  const result = make('pre', { hidden: true, tabIndex: 0 })
  const short = name.split('__').at(-1) ?? name
  const element = make(
    'details',
    { className: 'tool', open: true },
    make('summary', {}, make('code', { title: name }, short), ' ', state),
    make('pre', { className: 'arguments', tabIndex: 0, ariaLabel: `Arguments of ${short}` }, indent(args)),
    result,
  )
  return {
    element,
    show({ output, error }) {
      element.classList.toggle('failed', error !== undefined)
      state.textContent = error ? 'failed' : 'answered'
      result.className = 'result'
      result.ariaLabel = `Result of ${short}`
      result.textContent = error ? `${error.code}: ${error.message}` : JSON.stringify(output, null, 2)
      result.hidden = false
    },
  }
}

/** JSON text on lines of its own; a model may write what is none, and that is shown as it is. */
function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
