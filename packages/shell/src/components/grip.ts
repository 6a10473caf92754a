/** The id of a window's title bar, by which the keyboard moves it. */
export const gripId = (key: string): string => `grip-${key}`

/** The id of the text that says what the keys of a title bar do. */
export const GRIP_HELP = 'grip-help'

/** Moves the keyboard to a window's title bar, once it is drawn and where the window is in front then. */
export const focusGrip = (key: string): void => {
  requestAnimationFrame(() => {
    // A page that draws seldom comes to this late, when the user may have gone to another window.
    const grip = document.getElementById(gripId(key))
    if (grip?.closest('[data-front]')) grip.focus({ preventScroll: false })
  })
}
