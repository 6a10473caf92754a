import { colon, type TypeText } from './type-text.ts'

/** What a file of types may have; a longer one is not written. */
export const FILE_MAX_CHARS = 2_000_000

/** The types of a file that have names, because schemas refer to them. */
export function openAliases() {
  const taken = new Set<string>()
  let text = ''
  return {
    /** Takes a name that no other type of the file has. */
    name(wanted: string): string {
      const base = /^\d/.test(wanted) ? `Tool${wanted}` : wanted
      let name = base
      for (let count = 2; taken.has(name); count++) name = `${base}${count}`
      taken.add(name)
      return name
    },
    add(name: string, type: TypeText): void {
      text += `type ${name}${colon(type, ' =')}\n\n`
    },
    text: () => text,
    /** Whether the file can no longer be written, so that more of them are not needed. */
    isTooLong: () => text.length > FILE_MAX_CHARS,
  }
}

export type Aliases = ReturnType<typeof openAliases>
