import { type Manifest, manifestSchema } from '@svc/contract'
import type { Project } from '../project/project.ts'
import { readBundle } from './bundle-files.ts'
import type { Finding } from './lint.ts'

/** Says that pages of a bundle beside its entry are served to no frame, where the manifest does not say `multi_page`. */
export function pageHints({ ui }: Pick<Manifest, 'ui'>, paths: Iterable<string>): Finding[] {
  const { entry, multi_page } = ui.bundle
  const others = [...paths].filter((path) => /\.html$/i.test(path) && path !== entry)
  if (multi_page || others.length === 0) return []
  const named = others.length === 1 ? `${others[0]} is a page` : `${others.join(', ')} are pages`
  return [
    {
      level: 'hint',
      where: 'manifest.json ui.bundle.multi_page',
      problem: `${named} beside the entry, and a link to one gets 403`,
      hint: 'Set it to true if the app navigates between pages; a page that a script only fetches does not need it.',
    },
  ]
}

/**
 * The same for a built app, in a line; `null` where there is nothing to say. What is wrong with its manifest others say.
 * Never rejects: a folder that cannot be read, such as one that is being built again, is a line too.
 */
export async function pageLine({ name, bundleDir }: Pick<Project, 'name' | 'bundleDir'>) {
  try {
    const { manifest, files } = await readBundle(bundleDir)
    const parsed = manifestSchema.safeParse('value' in manifest ? manifest.value : null)
    const [found] = parsed.success ? pageHints(parsed.data, files.keys()) : []
    return found ? `${name}: ${found.where}: ${found.problem}. ${found.hint}` : null
  } catch (error) {
    return `${name}: its pages could not be checked: ${error instanceof Error ? error.message : String(error)}`
  }
}
