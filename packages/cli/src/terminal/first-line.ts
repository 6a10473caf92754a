/** Returns the first line of what an error says: those of Playwright go on with a log. */
export function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line
}
