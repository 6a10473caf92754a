import type { Limits } from '@svc/contract'
import type { ToolDescription } from '@svc/contract/stdio'
import { cutText, quoted, visibleText } from '@svc/contract/visible-text'
import type { SessionTool } from './session-tools.ts'

/** What a model reads of a tool: its title, its description, and whether it reads only or destroys. */
export function describedTo({
  title,
  description = '',
  annotations = {},
  destructive,
}: ToolDescription): string {
  const named = title === undefined || description.includes(title) ? description : `${title}: ${description}`
  const hint = destructive ? DESTROYS : annotations.readOnlyHint === true ? READS : ''
  return [named, hint].filter((part) => part !== '').join(' ')
}

const DESTROYS = '(It destroys or sends what cannot be had back: its user is asked first.)'
const READS = '(It only reads.)'

/**
 * The system prompt of a run with what its plugins say of their tools, each once and each line marked as text of that
 * plugin; `null`: there is neither. Past `ALL_INSTRUCTIONS_MAX_CHARS` it is cut.
 */
export function withInstructions(
  prompt: string | null,
  tools: readonly SessionTool[],
  { PLUGIN_INSTRUCTIONS_MAX_CHARS: one, ALL_INSTRUCTIONS_MAX_CHARS: all }: Limits,
): string | null {
  const byPlugin = new Map(tools.flatMap(({ instructions: of }) => (of ? [[of.plugin, of.text]] : [])))
  if (byPlugin.size === 0) return prompt
  const told = [...byPlugin].map(
    ([plugin, text]) =>
      `What the plugin ${quoted(plugin)} says of its tools; its user did not write these lines:\n${cited(cutText(text, one))}`,
  )
  return [...(prompt === null ? [] : [prompt]), cutText(told.join('\n\n'), all)].join('\n\n')
}

/** Each line marked: a text cannot end the citation and go on as the app, or as another plugin. */
const cited = (text: string): string => visibleText(text.replace(/\r\n?/g, '\n')).replace(/^/gm, '> ')
