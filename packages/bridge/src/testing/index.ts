export { openBridge, type PageWindow } from '../create-bridge.ts'
