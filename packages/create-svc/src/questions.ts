import { cancel, confirm, select, text } from '@clack/prompts'
import { problemOf } from './read-target.ts'
import { kinds, type TemplateKind, templates } from './templates.ts'

/** Where the questions are read and written: the terminal, or streams of a test. */
export interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

/** Asks for the name of a project; `null`: the user gave up. */
export async function askName(terminal: Terminal): Promise<string | null> {
  return given<string>(
    await text({
      ...terminal,
      message: 'What is it called?',
      placeholder: 'my-app',
      defaultValue: 'my-app',
      validate: (value) => (value ? (problemOf(value) ?? undefined) : undefined),
    }),
    terminal,
  )
}

/** Asks for a template: first its kind, then which of it. */
export async function askTemplate(terminal: Terminal): Promise<string | null> {
  const kind = given<TemplateKind>(
    await select<TemplateKind>({
      ...terminal,
      message: 'What do you want to write?',
      options: (Object.keys(kinds) as TemplateKind[]).map((value) => ({
        value,
        label: value,
        hint: kinds[value],
      })),
    }),
    terminal,
  )
  if (kind === null) return null
  const ofKind = templates.filter((one) => one.kind === kind)
  return given<string>(
    await select({
      ...terminal,
      message: 'With what?',
      options: ofKind.map(({ name, says }) => ({ value: name, label: says })),
    }),
    terminal,
  )
}

/** Asks whether packages are installed. */
export const askInstall = async (terminal: Terminal, command: string): Promise<boolean | null> =>
  given<boolean>(await confirm({ ...terminal, message: `Run ${command} now?`, initialValue: true }), terminal)

function given<T>(answer: T | symbol, { output }: Terminal): T | null {
  if (typeof answer !== 'symbol') return answer
  cancel('Nothing was created.', { output })
  return null
}
