import { diff } from 'node:util'

/** Lines that are shown of a difference. */
const SHOWN_LINES = 20

/** The lines in which two texts differ, `-` of the first and `+` of the second; a few of them where there are many. */
export function lineDiff(before: string, after: string): string[] {
  const lines = diff(linesOf(before), linesOf(after)).flatMap(([kind, line]) =>
    kind === 0 ? [] : [`${kind === 1 ? '-' : '+'} ${line}`],
  )
  const rest = lines.length - SHOWN_LINES
  return rest > 0 ? [...lines.slice(0, SHOWN_LINES), `… and ${rest} more`] : lines
}

const linesOf = (text: string): string[] => text.split(/\r?\n/)
