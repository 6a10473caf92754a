/** A screen that has room for one window at a time; the style sheets say the same. */
export const SMALL = '(max-width: 760px)'
