import { basename } from 'node:path'
import { fault } from './problem.ts'

const SHOWN = 5

/**
 * Chooses what a distribution starts, by name: the one that `executable_name` names, else the only one, else the one
 * that is called like its package. Returns its path.
 */
export function chooseStart(
  candidates: ReadonlyMap<string, string>,
  wanted: string | undefined,
  packageName?: string,
): string {
  const names = [...candidates.keys()].sort()
  const only = names.length === 1 ? names[0] : undefined
  const chosen = candidates.get(wanted ?? only ?? basename(packageName ?? ''))
  if (chosen !== undefined) return chosen
  const has = names.length === 0 ? 'it has none' : `it has ${listed(names)}`
  if (wanted !== undefined)
    throw fault('no_executable', `it has no executable ${wanted}: ${has}`, 'Put executable_name right.')
  if (names.length === 0) throw fault('no_executable', 'it has no executable', 'Name one by executable_name.')
  throw fault('executable_unclear', `it has several executables: ${has}`, 'Name one by executable_name.')
}

const listed = (names: readonly string[]) =>
  names.slice(0, SHOWN).join(', ') + (names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '')
