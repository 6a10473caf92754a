export { type DefineOptions, defineSvcWindow } from './define-svc-window.ts'
export type { SvcWindowElement, SvcWindowElementEvents } from './svc-window-element.ts'
