import { svc } from '@svc/sdk'
import { byId } from './by-id.ts'
import { make } from './make.ts'

/** How each answer of the host's development model begins. */
const DEV_MODEL = '[svc-dev'

/** Questions to begin with, each with the call of a tool that answers it. */
const questions = [
  {
    question: 'How far is it from Lisbon to Tokyo?',
    tool: 'distance',
    args: { from: 'Lisbon', to: 'Tokyo' },
  },
  { question: 'Which towns of Brazil do you know?', tool: 'find_place', args: { name: 'Brazil' } },
] as const

/** The line that makes the development model call a tool; another model reads which tool is meant. */
async function callLines(): Promise<ReadonlyMap<string, string>> {
  const { tools } = await svc.tools.list()
  return new Map(
    questions.flatMap(({ tool, args }) => {
      const found = tools.find(({ tool_name }) => tool_name === tool)
      return found ? [[tool, `/call ${found.tool_id}.${tool} ${JSON.stringify(args)}`]] : []
    }),
  )
}

/** Shows what could be asked; a press sends it. */
export async function showHints(send: (text: string) => void): Promise<void> {
  // The tools of an app that has just started are not known yet: a press looks again. Where that fails, sending the question
  // tells why.
  const textOf = async (question: string, tool: string) => {
    const lines = await callLines().catch(() => new Map<string, string>())
    return [question, lines.get(tool) ?? ''].join('\n').trim()
  }
  show(
    '',
    questions.map(({ question, tool }) => [question, () => textOf(question, tool), '']),
    send,
  )
}

/**
 * Shows lines that make the development model call a tool, once an answer turns out to be its: it understands
 * nothing else.
 */
export async function hearModel(answer: string, put: (text: string) => void): Promise<void> {
  if (!answer.startsWith(DEV_MODEL)) return
  const lines = [...(await callLines())].map(
    ([tool, line]) => [`Call ${tool}`, async () => line, line] as const,
  )
  show('The development model only repeats what you say, or calls a tool:', lines, put)
}

function show(
  said: string,
  hints: readonly (readonly [name: string, text: () => Promise<string>, title: string])[],
  put: (text: string) => void,
) {
  const buttons = hints.map(([name, text, title]) =>
    make('li', {}, make('button', { type: 'button', title, onclick: async () => put(await text()) }, name)),
  )
  byId('hints').replaceChildren(...(said === '' ? [] : [make('li', { className: 'soft' }, said)]), ...buttons)
}
