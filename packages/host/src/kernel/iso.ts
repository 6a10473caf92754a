/** A Unix time as the routes and calls write it. */
export const isoOf = (ms: number): string => new Date(ms).toISOString()
