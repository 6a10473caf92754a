export { type FrozenClock, frozenClock } from './frozen-clock.ts'
