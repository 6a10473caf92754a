/** A value that the author of a plugin names and its user gives. */
export interface Named {
  readonly description: string
  readonly secret?: boolean
  readonly default?: string
}

/** What a server may use outside of its own folder, as its author writes it. */
export interface WrittenReach {
  readonly hosts?: readonly string[]
  readonly folders?: readonly { readonly path: string; readonly access: 'read' | 'write' }[]
  readonly tcp?: readonly string[]
}

/** A call of a tool, and what its answer must say: a part of the text, or of the error. */
export interface ToolCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly says: RegExp
}

/**
 * An MCP server of the npm registry: what it needs to run, and what it must do. `${NAME}` is what `given` has, and
 * `${WORK}` a folder of the test with a file `a.txt`.
 */
export interface ServerRow {
  readonly name: string
  /** Exactly this version is installed. */
  readonly version: string
  /** Which program of the package, where it has several. */
  readonly bin?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string | Named>>
  readonly reach?: WrittenReach
  /** How long its start may take, where that is more than usual. */
  readonly start_ms?: number
  /** What a user gives for the names of `env`. */
  readonly given?: Readonly<Record<string, string>>
  /** How many tools a plain client is told of; 0 for a server that must reach its host first. */
  readonly tools: number
  /** Those of them that are left out here: they run only as tasks. */
  readonly tasks?: readonly string[]
  /** What works without a network. */
  readonly call?: ToolCall
  /** What must fail, and with these words; any tool, for a server that lists nothing without its host. */
  readonly fails: ToolCall
  /** A call that changes what a second one says, as long as the process lives. */
  readonly state?: readonly [set: ToolCall, get: ToolCall]
  /** A call that takes longer than anybody waits. */
  readonly slow?: Omit<ToolCall, 'says'>
  /** A call that answers with a picture. */
  readonly picture?: Omit<ToolCall, 'says'>
  /** What only its user has, without which it does not work. */
  readonly needs?: string
  /** One sentence that says why it cannot work here. */
  readonly cannot?: string
}

/** Exactly one version of a package of npm, as `npm install` takes it. */
export function npm(exact: string) {
  const at = exact.lastIndexOf('@')
  return { name: exact.slice(0, at), version: exact.slice(at + 1) }
}

/** A folder that the author names and the user gives, as arguments have it by `${FOLDER}`. */
export const inFolder = (access: 'read' | 'write') => ({
  env: { FOLDER: { description: `The folder that it may ${access === 'read' ? 'read' : 'use'}` } },
  reach: { folders: [{ path: '${FOLDER}', access }] },
  given: { FOLDER: '${WORK}' },
})

/** A secret that the user has from the service of a server, and one that the service does not know. */
export const keyed = (name: string, description: string, unknown: string) => ({
  env: { [name]: { description, secret: true } },
  given: { [name]: unknown },
})
