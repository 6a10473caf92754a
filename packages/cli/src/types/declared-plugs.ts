import path from 'node:path'
import { explain, manifestSchema } from '@svc/contract'
import { manifestFileOf, type Project } from '../project/project.ts'
import { failure } from '../terminal/failure.ts'
import { readJsonFile } from '../terminal/text-file.ts'

const HINT = 'svc app lint says what else is wrong with it.'

/**
 * The plugins that the manifest of an app declares, required or optional: of each the names by which the app may call
 * it, each name once. Errors: `config`.
 */
export function declaredPlugs(app: Project): string[][] {
  const { name, dir } = app
  const file = manifestFileOf(app)
  const value = readJsonFile(path.join(dir, file), HINT)
  const manifest = manifestSchema.safeParse(value)
  if (!manifest.success)
    throw failure('config', `${file} of ${name} cannot be used: ${explain(manifest.error, value)}`, HINT)
  const { required_plugs, optional_plugs } = manifest.data
  const taken = new Set<string>()
  return [...required_plugs, ...optional_plugs].flatMap((plug) => {
    const names = typeof plug === 'string' ? [plug] : [plug.tool_id, plug.handle]
    const own = [...new Set(names)].filter((one) => one !== undefined && !taken.has(one)) as string[]
    for (const one of own) taken.add(one)
    return own.length > 0 ? [own] : []
  })
}
