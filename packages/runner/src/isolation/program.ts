import { findOnPath, wordsOf as startOf } from '@svc/mcp'

export { findOnPath }

/**
 * Finds the file behind the first word of a command, or returns nothing.
 *
 * Looked up here and not by the kernel because the isolator puts other programs in front of it, whose own start
 * always succeeds. `node` is the Node that runs the runner: a machine's own may be too old for the plugin.
 */
export function findProgram(name: string, cwd: string, path: string | undefined): string | undefined {
  return name === 'node' ? process.execPath : findOnPath(name, cwd, path)
}

/** The words that start a file without a shell: of a command file of Windows Node and its script. */
export const wordsOf = (file: string): readonly [string, ...string[]] => startOf(file)
