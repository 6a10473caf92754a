const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])/
const CONTROL = /\p{Cc}/u

/** Whether a path is absolute on some machine: `/data`, `C:\data` or `C:/data`. */
export const isAbsolutePath = (path: string): boolean => ABSOLUTE.test(path)

/** Whether a text holds characters that nobody sees, such as a line feed. */
export const hasControls = (text: string): boolean => CONTROL.test(text)
