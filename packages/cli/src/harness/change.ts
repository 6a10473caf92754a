/** What a saved file caused. */
export interface Change {
  /** The name of the app. */
  readonly app: string
  /**
   * A build of the app, a module of it that was saved, the `svc` key of its package.json that was read again, or a plugin
   * whose program was saved.
   */
  readonly part: 'build' | 'module' | 'svc key' | 'plugin'
  /** What went wrong; the app then stays as it was. */
  readonly problem: string | null
  /** The path of a saved module; or what more is to be said of a new `svc` key or plugin: its tools, what needs a restart. */
  readonly note?: string
}
