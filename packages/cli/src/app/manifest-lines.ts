import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BuildProblem } from '@svc/contract'
import { manifestFileOf, type Project } from '../project/project.ts'
import { readBundle } from './bundle-files.ts'
import { type Finding, lintBundle } from './lint.ts'

/**
 * The first thing in the manifest of a built app that cannot work, for the page; `null`: there is none, or the folder cannot
 * be read now.
 */
export async function manifestProblem(app: Project): Promise<Omit<BuildProblem, 'part'> | null> {
  const bundle = await readBundle(app.bundleDir).catch(() => null)
  const found = bundle && lintBundle(bundle).find(isInManifest)
  if (!found) return null
  const file = manifestFileOf(app)
  const text = await readFile(path.join(app.dir, file), 'utf8').catch(() => '')
  return { message: found.problem, file, line: lineOf(text, found), column: null, hint: found.hint ?? null }
}

const isInManifest = ({ level, where }: Finding) => level === 'error' && where.startsWith('manifest.json')

/** The line with what a finding names: the last name of its problem, or of its place. */
function lineOf(text: string, { problem, where }: Finding): number | null {
  const names = [problem, where].map((said) => said.split(/[^\w-]/).at(-1))
  const at = names.map((name) => text.indexOf(`"${name}"`)).find((index) => index !== -1)
  return at === undefined ? null : text.slice(0, at).split('\n').length
}

/**
 * What `svc app lint` finds in the manifest of a built app and which of its files are not served, a line each. Never
 * rejects: a folder that cannot be read, such as one that is being built again, is a line too.
 */
export async function manifestLines({ name, bundleDir }: Pick<Project, 'name' | 'bundleDir'>) {
  try {
    return lintBundle(await readBundle(bundleDir))
      .filter(
        ({ where, level }) => where.startsWith('manifest.json') || (where === 'files' && level === 'hint'),
      )
      .map(
        ({ where, problem, hint }) => `${name}: ${where}: ${problem}${hint === undefined ? '' : `. ${hint}`}`,
      )
  } catch (error) {
    return [
      `${name}: its manifest could not be checked: ${error instanceof Error ? error.message : String(error)}`,
    ]
  }
}
