/**
 * What an app may ask of its user's browser besides what every window may: `clipboard-write` puts things on the
 * clipboard, `download` saves files, `fullscreen` fills the screen, `print` prints its document.
 */
export const browserPermissions = ['clipboard-write', 'download', 'fullscreen', 'print'] as const

/** One of them. */
export type BrowserPermission = (typeof browserPermissions)[number]
