/** A window in the stack: `z` counts up with each raise, a minimised one is out of sight. */
export interface StackedWindow {
  readonly key: string
  readonly z: number
  readonly minimised: boolean
}

/** The next `z` above all others. */
export const nextZ = (windows: readonly StackedWindow[]): number =>
  windows.reduce((top, { z }) => Math.max(top, z), 0) + 1

/** The window in front; `undefined` where none is in sight. */
export function frontOf<Window extends StackedWindow>(windows: readonly Window[]): Window | undefined {
  return windows
    .filter(({ minimised }) => !minimised)
    .reduce<Window | undefined>((front, one) => (front && front.z >= one.z ? front : one), undefined)
}

/** Whether raising `key` would change anything. */
export const isFront = (windows: readonly StackedWindow[], key: string): boolean =>
  frontOf(windows)?.key === key
