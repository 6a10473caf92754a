import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findTemplate, renderTemplate } from '../../packages/create-svc/src/index.ts'
import type { Follower } from './followers.ts'

/** What an example has as a part of the repository: its package.json has more, and its .gitignore is the root's. */
const notCompared = ['package.json', '.gitignore']

/** The files that an example has of its template: path in the example → text. */
export function wantedFiles({ template, values, own }: Follower): Map<string, string> {
  const files = renderTemplate(findTemplate(template), { ...values, range: 'workspace:*' })
  const stranger = own.find((file) => !files.has(file))
  if (stranger !== undefined) throw new Error(`${template} has no ${stranger} that an example could have`)
  for (const file of [...own, ...notCompared]) files.delete(file)
  return files
}

/** Says where an example is not what its template is, one sentence each. */
export function driftOf(dir: string, follower: Follower): string[] {
  return [...wantedFiles(follower)].flatMap(([file, text]) => {
    const at = path.join(dir, file)
    if (!existsSync(at)) return [`${at} is missing: ${follower.template} has it`]
    return readFileSync(at, 'utf8') === text
      ? []
      : [`${at} is not what ${follower.template} has; run npm run examples`]
  })
}
