import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { explain, manifestSchema } from '@svc/contract'
import { manifestFileOf, type Project } from '../project/project.ts'
import { failure } from '../terminal/failure.ts'

/**
 * The plugins that the manifest of an app declares, required or optional: of each the names by which the app may call
 * it, each name once. Errors: `config`.
 */
export async function declaredPlugs(app: Project): Promise<string[][]> {
  const { name, dir } = app
  const file = manifestFileOf(app)
  const value = parse(await readFile(path.join(dir, file), 'utf8'))
  const manifest = manifestSchema.safeParse(value)
  if (!manifest.success)
    throw failure(
      'config',
      `${file} of ${name} cannot be used: ${value === undefined ? 'it is not JSON' : explain(manifest.error, value)}`,
      'svc app lint says what else is wrong with it.',
    )
  const { required_plugs, optional_plugs } = manifest.data
  const taken = new Set<string>()
  return [...required_plugs, ...optional_plugs].flatMap((plug) => {
    const names = typeof plug === 'string' ? [plug] : [plug.tool_id, plug.handle]
    const own = [...new Set(names)].filter((one) => one !== undefined && !taken.has(one)) as string[]
    for (const one of own) taken.add(one)
    return own.length > 0 ? [own] : []
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
