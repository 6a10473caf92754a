export { openRedisBus, type RedisBusOptions } from './redis/bus.ts'
