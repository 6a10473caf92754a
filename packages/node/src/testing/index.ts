export { type FrozenClock, frozenClock } from './frozen-clock.ts'
export { answerByFetch, type FetchHandler, serveByFetch } from './serve-by-fetch.ts'
