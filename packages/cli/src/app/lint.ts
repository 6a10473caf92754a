import { explainAll, limits, type Manifest, manifestSchema } from '@svc/contract'
import type { Bundle } from './bundle-files.ts'
import { entryHints } from './entry-hints.ts'
import { fileHints } from './file-hints.ts'
import { manifestHints } from './manifest-hints.ts'
import { keyProblems } from './manifest-keys.ts'
import { pageHints } from './page-hints.ts'

/**
 * One thing that was found. An `error` is refused by the host, or cannot work as it is written; a `hint` may be meant
 * so.
 */
export interface Finding {
  readonly level: 'error' | 'hint'
  /** The file, and the place in it. */
  readonly where: string
  readonly problem: string
  readonly hint?: string
}

/** Looks over a bundle: its manifest, its files, and what the manifest asks for in vain. */
export function lintBundle(bundle: Bundle): Finding[] {
  const { manifest, files, problems } = bundle
  const broken = problems.map((problem): Finding => ({ level: 'error', where: 'files', problem }))
  if ('problem' in manifest)
    return [
      { level: 'error', where: 'manifest.json', problem: manifest.problem },
      ...broken,
      ...fileHints(bundle),
    ]
  const strangers = keyProblems(manifest.value).map(
    ({ problem, meant }): Finding => ({ level: 'error', where: 'manifest.json', problem: problem + meant }),
  )
  const parsed = manifestSchema.safeParse(manifest.value)
  if (!parsed.success) {
    const said = explainAll(parsed.error, manifest.value, 'it')
    return [
      ...said.map((problem): Finding => ({ level: 'error', where: 'manifest.json', problem })),
      ...strangers,
      ...broken,
      ...fileHints(bundle),
    ]
  }
  return [
    ...strangers,
    ...broken,
    ...bodyFindings(files),
    ...entryFindings(parsed.data, files),
    ...pageHints(parsed.data, files.keys()),
    ...manifestHints(parsed.data),
    ...fileHints(bundle),
  ]
}

/** A bundle travels as base64 in one body. */
function bodyFindings(files: Bundle['files']): Finding[] {
  const bytes = [...files.values()].reduce((sum, file) => sum + 4 * Math.ceil(file.length / 3), 0)
  if (bytes <= limits.DRAFT_BODY_MAX_BYTES) return []
  return [
    {
      level: 'error',
      where: 'files',
      problem: `the files are ${bytes} bytes as base64; a push may have ${limits.DRAFT_BODY_MAX_BYTES}`,
      hint: 'Leave out files that the app does not load; often images and sounds are the largest.',
    },
  ]
}

function entryFindings({ ui }: Manifest, files: Bundle['files']): Finding[] {
  const { entry } = ui.bundle
  const page = files.get(entry)
  if (page) return entryHints(entry, page.toString())
  const near = [...files.keys()].find((path) => path.toLowerCase().endsWith(entry.toLowerCase()))
  return [
    {
      level: 'error',
      where: 'manifest.json ui.bundle.entry',
      problem: `there is no file ${JSON.stringify(entry)}`,
      ...(near !== undefined && { hint: `There is ${JSON.stringify(near)}.` }),
    },
  ]
}
