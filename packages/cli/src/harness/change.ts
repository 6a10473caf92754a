/** What a saved file caused. */
export interface Change {
  /** The name of the app. */
  readonly app: string
  /**
   * A build of the app, a module of it that was saved, its code in a window, the `svc` key of its package.json that was read
   * again, a plugin whose program was saved, an error of a plugin, or what is found in the manifest of a good build.
   */
  readonly part: 'build' | 'module' | 'app error' | 'svc key' | 'plugin' | 'plugin error' | 'manifest'
  /** What went wrong; the app then stays as it was. */
  readonly problem: string | null
  /**
   * The path of a saved module; what more is to be said of a new `svc` key or plugin: its tools, what needs a restart;
   * how to put an error right; or what was found.
   */
  readonly note?: string
}
