import type { DeskParts } from '../state/parts.ts'
import { contextAll } from './context.ts'

/** Takes a window off the desktop. */
export function remove(parts: DeskParts, key: string): void {
  parts.handles.delete(key)
  parts.store.set((state) => ({ ...state, windows: state.windows.filter((one) => one.key !== key) }))
  contextAll(parts)
}
