const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** The time of day of a moment in Unix ms, as the user's language writes it. */
export const timeText = (at: number): string => clock.format(at)
