export { answerer, type Outlet } from '../answer.ts'
export type { CallClock } from '../context.ts'
