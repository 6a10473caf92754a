import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { manifestJsonSchema, unknownKeys } from '@svc/contract'
import { readPersonJson } from '@svc/contract/person-text'
import { manifestFileOf, type Project } from '../project/project.ts'
import { failure } from '../terminal/failure.ts'

/** A key of a manifest that nobody reads, in words. */
export interface KeyProblem {
  readonly problem: string
  /** What was meant, as the end of the sentence. */
  readonly meant: string
}

const schema = manifestJsonSchema()

/** Says which keys of a manifest nobody reads, each with the one that was meant. */
export const keyProblems = (manifest: unknown): KeyProblem[] =>
  unknownKeys(manifest, schema).map(({ path, meant }) => ({
    problem: `unknown key \`${path}\``,
    meant: meant === null ? '; the reference of the manifest lists the keys' : `; did you mean \`${meant}\`?`,
  }))

/** Refuses a built app whose manifest is not JSON or has such a key; what else is wrong the host says. Errors: `config`. */
export async function checkManifestKeys(app: Project): Promise<void> {
  const { name, bundleDir } = app
  const bytes = await readFile(path.join(bundleDir, 'manifest.json')).catch(() => '{}')
  const read = readPersonJson(bytes, manifestFileOf(app))
  if ('problem' in read) throw failure('config', `${name} cannot be used: ${read.problem}`)
  const [first] = keyProblems(read.value)
  if (!first) return
  // Who is told of an app that is left out reads the sentence alone.
  throw failure(
    'config',
    `${name} cannot be used: ${manifestFileOf(app)} has the ${first.problem}${first.meant}`,
  )
}
