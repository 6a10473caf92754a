import { existsSync } from 'node:fs'
import type { HostUrl } from '../host/host-url.ts'
import { failure } from '../terminal/failure.ts'
import type { PlugFile } from './plug-file.ts'

/**
 * Looks for the file of a local distribution, which was perhaps never built. A host on this machine would look for it here
 * too: there it is refused, elsewhere `say` gets a sentence. Errors: `config`.
 */
export function checkLocalFile(
  { distribution }: Pick<PlugFile, 'distribution'>,
  { isLoopback }: Pick<HostUrl, 'isLoopback'>,
  say: (line: string) => void,
): void {
  if (distribution?.type !== 'local' || existsSync(distribution.path)) return
  const missing = `${distribution.path} is not on this machine`
  if (isLoopback) throw failure('config', missing, 'Build the plugin first: npm run build.')
  say(`${missing}; a runner looks for it on its own`)
}
