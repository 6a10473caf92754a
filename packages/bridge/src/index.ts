export type { ErrorBody, EventPayloads, Geometry, WindowEvent } from '@svc/contract'
export type { HostContext } from '@svc/contract/wire'
export { BridgeError } from './bridge-error.ts'
export { type Channel, type ChannelEnds, createChannel } from './channel.ts'
export type { Clock } from './clock.ts'
export {
  type Bridge,
  type BridgeEvents,
  type BridgeOptions,
  createBridge,
  type Into,
  type PageEvent,
} from './create-bridge.ts'
export type { PortCall } from './guard.ts'
export type { ViewMeta, WindowRecord } from './routes.ts'
export type { RefusedCall, SvcWindow, WindowEvents } from './window.ts'
