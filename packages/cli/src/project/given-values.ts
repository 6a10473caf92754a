import { statSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { type FilledNeeds, fillNeeds, type Needs, variableText } from '@svc/contract'
import { readTextFile } from '../terminal/text-file.ts'

/** The file beside package.json that has values of variables; it is no part of a bundle. */
export const VALUES_FILE = '.env'

/**
 * Returns where the variables of a plugin have their values from: the environment of svc, else `.env` in this folder; what is
 * empty is no value. `PWD` is the folder itself. Errors: `config`.
 */
export function givenIn(dir: string): (name: string) => string | undefined {
  const file = path.join(dir, VALUES_FILE)
  const kept = statSync(file, { throwIfNoEntry: false })?.isFile() ? parseEnv(readTextFile(file)) : {}
  return (name) => (name === 'PWD' ? dir : process.env[name] || kept[name] || undefined)
}

/** Needs with their values; a sentence where some are missing, as the end of one that begins with the plugin. */
export function valuesOf(needs: Needs, given: (name: string) => string | undefined): FilledNeeds | string {
  const filled = fillNeeds(needs, given)
  const { missing } = filled
  if (missing.length === 0) return filled
  const told = missing.map((name) => {
    const one = needs.env?.[name]
    return typeof one === 'object' ? variableText(name, one) : name
  })
  const [lines, names] = [missing.map((name) => `${name}=…`).join(' and '), missing.join(' ')]
  return `it needs ${told.join(', ')}: write ${lines} into ${VALUES_FILE} beside package.json, or start svc after: export ${names}`
}
