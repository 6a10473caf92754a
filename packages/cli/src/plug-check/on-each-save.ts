import { once } from 'node:events'
import { watchProgram } from '../project/watch-program.ts'
import { failure } from '../terminal/failure.ts'

/**
 * Does work on a plugin now, and anew after each save of its program, until the signal. A save during the work aborts it.
 * Errors: `usage`; what the work throws.
 */
export async function onEachSave(
  plugin: { readonly cwd: string; readonly command: readonly string[]; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const { cwd, command, signal } = plugin
  let saved = new AbortController()
  const unwatch = watchProgram(cwd, command, () => saved.abort())
  if (unwatch === null)
    throw failure(
      'usage',
      `--watch needs a script in this folder, and ${command.join(' ')} names none`,
      'Start it in the folder of the plugin: svc plug check --watch -- node plugin.ts',
    )
  try {
    while (!signal.aborted) {
      saved = new AbortController()
      const either = AbortSignal.any([signal, saved.signal])
      const aborted = once(either, 'abort')
      await work(either).catch((error: unknown) => {
        if (!either.aborted) throw error
      })
      await aborted
    }
  } finally {
    unwatch()
  }
}
