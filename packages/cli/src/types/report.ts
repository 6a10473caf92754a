import { lineDiff } from './line-diff.ts'
import { visible } from './ts-text.ts'
import { isStale, type TypesFile, writeTypes } from './types-file.ts'

/** What became of a file of types: it was right already, was written, or, where nothing is to be written, is not right. */
export interface Kept {
  readonly name: string
  readonly did: 'same' | 'written' | 'differs' | 'missing'
  /** Where it is not right: the lines that are to change. */
  readonly diff: readonly string[]
}

/** Writes a file of types where it is not right; with `isCheck` it is only looked at. */
export async function keepTypes(file: TypesFile, text: string, isCheck: boolean): Promise<Kept> {
  const { name, text: before } = file
  if (!isStale(file, text)) return { name, did: 'same', diff: [] }
  if (!isCheck) {
    await writeTypes(file, text)
    return { name, did: 'written', diff: [] }
  }
  return before === null
    ? { name, did: 'missing', diff: [] }
    : { name, did: 'differs', diff: lineDiff(before, text) }
}

/** What a program reads of it. */
export interface TypesReport {
  readonly ok: boolean
  readonly file: string
  readonly did: Kept['did']
  readonly plugins: readonly { readonly slug: string; readonly tools: readonly string[] }[]
  readonly open: readonly string[]
  readonly diff: readonly string[]
}

export const reportOf = (
  { name, did, diff }: Kept,
  { plugins, open }: Pick<TypesReport, 'plugins' | 'open'>,
): TypesReport => ({ ok: did === 'same' || did === 'written', file: name, did, plugins, open, diff })

/** The command that writes a file, as it was typed to look at it. */
export function renewOf(command: string, typed: readonly string[]): string {
  const end = typed.indexOf('--')
  const options = end === -1 ? typed : typed.slice(0, end)
  const kept = options.filter((word) => word !== '--check' && word !== '--json')
  return [command, ...kept, ...typed.slice(options.length)].join(' ')
}

/** The same for a person; `renew` is the command that writes the file. */
export function linesOf(
  { file, did, plugins, open, diff }: TypesReport,
  app: string,
  renew: string,
): string[] {
  const known = plugins.map(({ slug, tools }) => `${visible(slug)} (${toolsText(tools.length)})`)
  const what =
    known.length > 0 || open.length > 0
      ? known.join(', ') || 'no tool is known'
      : `${app} declares no plugins, so it declares no tools`
  const sentences = {
    same: `${file} is up to date: ${what}`,
    written: `${file} was written: ${what}`,
    differs: `${file} is not what the plugins say now; to renew it: ${renew}`,
    missing: `there is no ${file}; to write it: ${renew}`,
  }
  return [sentences[did], ...diff.map((line) => `  ${line}`)]
}

const toolsText = (count: number): string => `${count} ${count === 1 ? 'tool' : 'tools'}`
