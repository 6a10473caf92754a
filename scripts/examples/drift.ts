import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findTemplate, renderTemplate } from '../../packages/create-svc/src/index.ts'
import type { Follower } from './followers.ts'

/** What an example has as a part of the repository: its .gitignore is the root's. */
const notCompared = ['.gitignore']

/** Files of which an example has some from its template and some of its own: what becomes of the two. */
const shared: Readonly<Record<string, (wanted: string, own: string) => string>> = {
  'package.json': withScripts,
  'index.html': withHead,
}

/** The files that an example in `dir` has of its template: path in the example → text. */
export function wantedFiles(dir: string, { template, values, own }: Follower): Map<string, string> {
  const files = renderTemplate(findTemplate(template), { ...values, range: 'workspace:*' })
  const stranger = own.find((file) => !files.has(file))
  if (stranger !== undefined) throw new Error(`${template} has no ${stranger} that an example could have`)
  for (const file of [...own, ...notCompared]) files.delete(file)
  for (const [file, merge] of Object.entries(shared)) {
    const wanted = files.get(file)
    const at = path.join(dir, file)
    if (wanted !== undefined && existsSync(at)) files.set(file, merge(wanted, readFileSync(at, 'utf8')))
  }
  return files
}

/** Says where an example is not what its template is, one sentence each. */
export function driftOf(dir: string, follower: Follower): string[] {
  return [...wantedFiles(dir, follower)].flatMap(([file, text]) => {
    const at = path.join(dir, file)
    if (!existsSync(at)) return [`${at} is missing: ${follower.template} has it`]
    return readFileSync(at, 'utf8') === text
      ? []
      : [`${at} is not what ${follower.template} has; run npm run examples`]
  })
}

/** The scripts are those of the template; name, packages and plugins are those of the example. */
function withScripts(wanted: string, own: string): string {
  const { scripts } = JSON.parse(wanted) as { readonly scripts: object }
  const { name, version, private: isPrivate, type, scripts: _, ...others } = JSON.parse(own)
  return `${JSON.stringify({ name, version, private: isPrivate, type, scripts, ...others }, null, 2)}\n`
}

/** The head is that of the template, and more style sheets after its own; the body is that of the example. */
function withHead(wanted: string, own: string): string {
  const sheet = /^ *<link rel="stylesheet".*\n/gm
  const more = (own.match(sheet) ?? []).filter((line) => !wanted.includes(line))
  const [last = ''] = (wanted.match(sheet) ?? []).slice(-1)
  const head = wanted.slice(0, wanted.indexOf('<body>')).replace(last, last + more.join(''))
  return head + own.slice(own.indexOf('<body>'))
}
