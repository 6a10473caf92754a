import { fieldsOf, listOf, parsed } from '../members.ts'

/** Text that is in JSON as it is. */
const PLAIN = /^[ !#-[\]-\uffff]*$/
/** How servers write the member; those in Python have a blank there. */
const MEMBERS = ['"content":', '"content": '] as const
/** How many events in a row may be learnt without one like the last. */
const UNUSED_MAX = 4

/**
 * Opens what reads events that differ from the last one in their text alone, as nearly all of an answer do: without
 * parsing them, for that costs as much as all else that is done with a token.
 */
export function openRepeats() {
  let head = ''
  let tail = ''
  let unused = 0
  return {
    /** The text of an event like the last one that was learnt; `null`: it is another. */
    textOf(data: string): string | null {
      const end = data.length - tail.length
      // Slices are compared, for `startsWith` takes as long as a parse.
      if (head === '' || end < head.length || data.slice(0, head.length) !== head || data.slice(end) !== tail)
        return null
      const text = data.slice(head.length, end)
      if (!PLAIN.test(text)) return null
      unused = 0
      return text
    },
    /** Learns an event that says a text and nothing else. */
    learn(data: string, text: string): void {
      head = ''
      if (unused === UNUSED_MAX) return
      unused += 1
      const member = MEMBERS.find((one) => data.includes(one + JSON.stringify(text)))
      if (member === undefined) return
      const from = data.indexOf(member + JSON.stringify(text)) + member.length + 1
      const to = from + JSON.stringify(text).length - 2
      // One letter more in that place has to be one more in the text.
      const more = fieldsOf(parsed(`${data.slice(0, from)}x${data.slice(from)}`))
      if (fieldsOf(fieldsOf(listOf(more.choices)[0]).delta).content !== `x${text}`) return
      head = data.slice(0, from)
      tail = data.slice(to)
    },
  }
}
