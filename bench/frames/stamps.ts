/** The time of the machine in ms: all of its processes have the same. */
const now = () => Number(process.hrtime.bigint()) / 1e6

const MARK = /@([\d.]+)@/g
/** Longer than a mark. */
const TAIL_CHARS = 64

/** A token that says when it was sent. */
export const stamp = (): string => ` @${now().toFixed(3)}@`

/** What reads such tokens in a stream of text, in pieces cut anywhere; `delays` has the ms that each was under way. */
export function readStamps(delays: number[]) {
  let carry = ''
  return (piece: string): void => {
    const text = carry + piece
    const time = now()
    let end = 0
    for (const found of text.matchAll(MARK)) {
      delays.push(time - Number(found[1]))
      end = found.index + found[0].length
    }
    carry = text.slice(Math.max(end, text.length - TAIL_CHARS))
  }
}
