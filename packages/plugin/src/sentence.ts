/** What was thrown, in words; an object need not have any (`Object.create(null)`). */
export function sentenceOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message || error.name : error)
  } catch {
    return 'something was thrown that cannot be shown'
  }
}
