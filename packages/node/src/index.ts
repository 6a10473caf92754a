export { type Alarm, openAlarm } from './alarm.ts'
export { type Clock, keepAliveClock, systemClock } from './clock.ts'
export { every } from './every.ts'
export { inTurns, pause } from './pause.ts'
