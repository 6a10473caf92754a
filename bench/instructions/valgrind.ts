/** Returns the instructions that `cachegrind` counted, in what it prints: `==12== I   refs:      280,365,779`. Throws where it printed none. */
export function countedRefs(printed: string): number {
  const count = /I\s+refs:\s+([\d,]+)/.exec(printed)?.[1]
  if (count === undefined) throw new Error(`valgrind counted nothing: ${printed.trim().slice(-300)}`)
  return Number(count.replaceAll(',', ''))
}
