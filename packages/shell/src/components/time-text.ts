const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** The time of day of a moment in Unix ms, as the user's language writes it. */
export const timeText = (at: number): string => clock.format(at)
