import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fillNeeds, namesIn, neededNames } from '@svc/contract'
import { givenIn } from '../project/given-values.ts'
import type { PlugFile } from './plug-file.ts'

/** The values with which a plugin is asked for its tools, on the machine of its author. */
export interface AskedValues {
  /** Those of its variables, by name. */
  readonly values: Readonly<Record<string, string>>
  /** What its process has in its environment. */
  readonly env: Readonly<Record<string, string>>
  /** Names that had no value and got a placeholder. */
  readonly placeholders: readonly string[]
  /** Removes the folders that were made as placeholders. */
  close(): void
}

/** What stands for a key that the author did not give here: most servers list their tools without a right one. */
const PLACEHOLDER = 'placeholder'

/** Finds the values of the variables of a distribution: in the environment, else in `.env` beside the file. */
export function openAskedValues({
  dir,
  distribution,
  reach,
}: Pick<PlugFile, 'dir' | 'distribution' | 'reach'>): AskedValues {
  const needs = { args: distribution?.args, cwd: distribution?.cwd, env: distribution?.env, reach }
  const given = givenIn(dir)
  const placeholders = neededNames(needs, given)
  const inPaths = new Set(
    [needs.cwd ?? '', ...(reach?.folders ?? []).map((one) => one.path)].flatMap(namesIn),
  )
  const made = new Map(
    placeholders.map((name) => [
      name,
      inPaths.has(name) ? realpathSync(mkdtempSync(path.join(tmpdir(), 'svc-placeholder-'))) : PLACEHOLDER,
    ]),
  )
  const valueFor = (name: string) => given(name) ?? made.get(name)
  const variables = Object.entries(needs.env ?? {}).filter(([, one]) => typeof one === 'object')
  return {
    values: Object.fromEntries(
      variables.flatMap(([name]) => {
        const value = valueFor(name)
        return value === undefined ? [] : [[name, value]]
      }),
    ),
    env: fillNeeds({ env: needs.env }, valueFor).env ?? {},
    placeholders,
    close() {
      for (const one of made.values()) if (one !== PLACEHOLDER) rmSync(one, { recursive: true, force: true })
    },
  }
}
