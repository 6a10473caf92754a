export { type FileState, file } from './file.ts'
export { job } from './job.ts'
export {
  type ReservationState,
  reservation,
  type SnapshotStatus,
  snapshot,
  type Visibility,
  visibility,
} from './reservation.ts'
export { run } from './run.ts'
export { session } from './session.ts'
export { type WindowStatus, window } from './window.ts'
