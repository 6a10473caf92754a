/** Names of the same length as the real ones, so that both servers read heads of one size. */
export const USER = 'ada'
export const WINDOW = '3f1f9d0e-0a5c-4c6e-9f5b-2b8a4c1d7e90'
export const TOKEN = `${'h'.repeat(60)}.${'p'.repeat(380)}.${'s'.repeat(43)}`
export const COOKIE = `${'h'.repeat(60)}.${'p'.repeat(120)}.${'s'.repeat(43)}`
