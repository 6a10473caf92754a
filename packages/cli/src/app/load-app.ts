import { buildBundle } from '../project/build.ts'
import { linkedNote, linkPackages } from '../project/link-packages.ts'
import { type Project, readProject } from '../project/project.ts'
import { type Bundle, readBundle } from './bundle-files.ts'

/** Builds an app where it has sources, and reads what is pushed of it. Errors: `config`, `build`. */
export async function loadApp(
  dir: string,
  say: (line: string) => void,
  options: { readonly maps?: boolean } = {},
): Promise<{ readonly project: Project; readonly bundle: Bundle }> {
  const project = readProject(dir)
  if (project.built === 'by vite') {
    const lent = linkedNote(dir, linkPackages(project.dir))
    if (lent !== null) say(lent)
    say(`builds ${project.name}`)
  }
  await buildBundle(project)
  return { project, bundle: await readBundle(project.bundleDir, options) }
}
