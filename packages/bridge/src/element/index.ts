export { type DefineOptions, defineSvcWindow } from './define-svc-window.ts'
export type { SvcWindowAttributes, SvcWindowBindings } from './in-frameworks.ts'
export type {
  SvcWindowElement,
  SvcWindowElementEventMap,
  SvcWindowElementEvents,
  SvcWindowTrouble,
} from './svc-window-element.ts'
