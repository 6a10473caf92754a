/** What a saved file caused. */
export interface Change {
  /** The name of the app. */
  readonly app: string
  /** A build of the app, the `svc` key of its package.json that was read again, or a plugin whose program was saved. */
  readonly part: 'build' | 'svc key' | 'plugin'
  /** What went wrong; the app then stays as it was. */
  readonly problem: string | null
  /** What more is to be said of a new `svc` key or plugin: how its tools are, what needs a restart. */
  readonly note?: string
}
