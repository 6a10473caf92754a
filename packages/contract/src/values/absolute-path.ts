const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])/
/** A part that a path has when it is written in another way than the shortest. */
const DETOUR = /[\\/](\.{0,2}[\\/]|\.{1,2}$)/
/** Folders that are the machine itself; who could write there, or read some of them, would be outside. */
const SYSTEM = /^(\/|[a-z]:[\\/]?)$|^\/(proc|sys|dev|run|boot|etc|bin|sbin|lib\w*|usr|var\/(run|lock))(\/|$)/i
const CONTROL = /\p{Cc}/u

/** Whether a path is absolute on some machine: `/data`, `C:\data` or `C:/data`. */
export const isAbsolutePath = (path: string): boolean => ABSOLUTE.test(path)

/** Whether a path holds no `.`, no `..` and no two slashes in a row: one that does can mean another than it seems to. */
export const isPlainPath = (path: string): boolean => !DETOUR.test(path)

/** Whether a plain path, absolute on some machine, is no folder of its system. */
export const isDataPath = (path: string): boolean => !SYSTEM.test(path)

/** Whether a text holds characters that nobody sees, such as a line feed. */
export const hasControls = (text: string): boolean => CONTROL.test(text)
