import { svc } from '@svc/sdk'
import { byId } from './by-id.ts'
import { make } from './make.ts'

/** How each answer of the host's development model begins. */
const DEV_MODEL = '[svc-dev'

const questions = ['How far is it from Lisbon to Tokyo?', 'Which towns of Brazil do you know?']

/** What the tools of the plugin could be called with. */
const examples: ReadonlyMap<string, object> = new Map([
  ['distance', { from: 'Lisbon', to: 'Tokyo' }],
  ['find_place', { name: 'Brazil' }],
])

/** Shows what could be asked; a press puts it where it can be sent or changed. */
export function showHints(put: (text: string) => void): void {
  show(
    '',
    questions.map((question) => [question, question]),
    put,
  )
}

/**
 * Shows lines that make the development model call a tool, once an answer turns out to be its: it understands
 * nothing else.
 */
export async function hearModel(answer: string, put: (text: string) => void): Promise<void> {
  if (!answer.startsWith(DEV_MODEL)) return
  const { tools } = await svc.tools.list()
  const lines = tools.flatMap(({ tool_id, tool_name }): [string, string][] => {
    const args = examples.get(tool_name)
    return args ? [[`Call ${tool_name}`, `/call ${tool_id}.${tool_name} ${JSON.stringify(args)}`]] : []
  })
  show('The development model repeats what it hears. It calls a tool when it is told to:', lines, put)
}

function show(
  said: string,
  hints: readonly (readonly [name: string, text: string])[],
  put: (text: string) => void,
) {
  const buttons = hints.map(([name, text]) =>
    make('li', {}, make('button', { type: 'button', title: text, onclick: () => put(text) }, name)),
  )
  byId('hints').replaceChildren(...(said === '' ? [] : [make('li', { className: 'soft' }, said)]), ...buttons)
}
