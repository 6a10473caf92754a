import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@svc/host'
import type { Project } from '../project/project.ts'
import { appTypes, readPlugs } from '../types/app-types.ts'
import { keepTypes } from '../types/report.ts'
import { openTypesFile, typesNameOf } from '../types/types-file.ts'

/** The file of an app with the types of its tools was written, or could not be. */
export interface TypesNews {
  /** The name of the app. */
  readonly app: string
  /** Its path, from the folder of the app. */
  readonly file: string
  /** Why it stays as it was; `null`: it was written. */
  readonly problem: string | null
}

/**
 * Writes the types of the tools of apps, where what their plugins say is not what the files hold. An app without such a
 * file is left alone, except with `create`. The host has asked the plugins already. Each trouble is told once.
 */
export function openTypes(host: Host, create: boolean, onTypes: (news: TypesNews) => void) {
  const troubles = new Map<string, string>()
  let last = Promise.resolve()
  let isClosed = false

  async function renew(app: Project): Promise<void> {
    if (app.built === 'already') return
    const file = typesNameOf(app)
    if (!create && !existsSync(path.join(app.dir, file))) return
    const problem = await written(app, file).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    )
    if (problem === 'same') return
    const before = troubles.get(app.dir)
    if (problem === null) troubles.delete(app.dir)
    else troubles.set(app.dir, problem)
    if (problem === null || problem !== before) onTypes({ app: app.name, file, problem })
  }

  /** What is in the way, or `same` where nothing was to be written. */
  async function written(app: Project, name: string): Promise<string | null> {
    const file = await openTypesFile(app.dir, name)
    const plugs = await readPlugs(app)
    await host.plugins.ready()
    const plugins = await host.plugins.of({ userId: '', version: null })
    const said = new Map(plugins.flatMap((one) => (one.description ? [[one.handle, one.description]] : [])))
    const silent = plugs.declared.find(({ slug }) => slug !== undefined && !said.has(slug))
    if (silent) return `${silent.slug} did not say what tools it has`
    const { did } = await keepTypes(file, appTypes(plugs, said).text, false)
    return did === 'same' ? did : null
  }

  return {
    /** Looks at an app, after those before. */
    renew(app: Project): void {
      if (!isClosed) last = last.then(() => renew(app))
    },
    /** Waits for what was begun, and looks at nothing more. */
    close(): Promise<void> {
      isClosed = true
      return last
    },
  }
}
