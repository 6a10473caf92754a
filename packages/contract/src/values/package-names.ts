/** A name of a file, which no program takes for an option or a path. */
export const EXECUTABLE_NAME = /^[A-Za-z0-9_][\w.+-]*$/

/** One version of a package. */
export const PACKAGE_VERSION = /^[0-9A-Za-z][\w.+!-]*$/

/** What each package manager calls a package. None begins with a dash: it would be read as an option. */
export const PACKAGE_NAMES = {
  npm: /^(@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/,
  uv: /^[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/,
  pipx: /^[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/,
  homebrew: /^([a-z0-9][\w-]*\/[a-z0-9][\w-]*\/)?[a-z0-9][a-z0-9@._+-]*$/,
} as const
