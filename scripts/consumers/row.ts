/** A program of somebody who installs the packages: what it is made of, and how it is started. */
export interface Consumer {
  /** What stands in the table of the docs. */
  readonly name: string
  /** What is installed, as package managers take it. */
  readonly packages: readonly string[]
  readonly manager?: Manager
  /** Which Node runs it; left out: the newest. */
  readonly node?: 'oldest'
  /** Its own files, beside those of every row. */
  readonly files?: Readonly<Record<string, string>>
  /** The commands that build it, in order. */
  readonly build?: readonly Command[]
  /** What a reader of the table must know. */
  readonly note?: string
}

/** Words of a command; the first is a program of the installed packages, or one of the machine. */
export type Command = readonly [program: string, ...words: string[]]

/** What installs packages. */
export type Manager = 'npm' | 'pnpm' | 'yarn' | 'yarn-pnp' | 'bun'

/** A server of somebody with the host in it. */
export interface Server extends Consumer {
  /** Starts it at `PORT`. */
  readonly start: Command
  /** The folder of what was built: it is moved away from all packages, and started there. */
  readonly moved?: string
}

/** A page of somebody and an app of somebody, both built by the same tool. */
export interface Page extends Consumer {
  /** The folder of the built page. */
  readonly page: string
  /** The folder of the built app. */
  readonly app: string
}

/** Tests of somebody. */
export interface Tests extends Consumer {
  readonly start: Command
}
