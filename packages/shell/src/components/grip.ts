/** The id of a window's title bar, by which the keyboard moves it. */
export const gripId = (key: string): string => `grip-${key}`

/** The id of the text that says what the keys of a title bar do. */
export const GRIP_HELP = 'grip-help'

/** Moves the keyboard to a window's title bar, once it is drawn. */
export const focusGrip = (key: string): void => {
  requestAnimationFrame(() => document.getElementById(gripId(key))?.focus({ preventScroll: false }))
}
