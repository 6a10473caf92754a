export type { ErrorBody, EventPayloads, Geometry, WindowEvent } from '@svc/contract/client'
export type { HostContext } from '@svc/contract/wire'
export type {
  Bridge,
  BridgeEvents,
  BridgeOptions,
  Into,
  MountOptions,
  PageEvent,
} from './bridge.ts'
export { BridgeError, type RefusedCall } from './bridge-error.ts'
export { type Channel, type ChannelEnds, createChannel } from './channel.ts'
export type { Clock } from './clock.ts'
export { createBridge } from './create-bridge.ts'
export type { FloodGate } from './flood-gate.ts'
export type { PortCall } from './guard.ts'
export type { ViewMeta, WindowRecord } from './routes.ts'
export type { SvcWindow, WindowEvents } from './svc-window.ts'
export type { AppDownload, AppLink } from './wishes.ts'
