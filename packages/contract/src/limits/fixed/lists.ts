/** Lists of apps and releases. */
export const lists = {
  /** Apps on a page of a list that names no number. */
  APP_LIST_DEFAULT: 50,
  /** Apps that one page may ask for. */
  APP_LIST_MAX: 100,
  /** Releases on a page of a list that names no number. */
  RELEASE_LIST_DEFAULT: 20,
  /** Releases that one page may ask for. */
  RELEASE_LIST_MAX: 50,
} as const
