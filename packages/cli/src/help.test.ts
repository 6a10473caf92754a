import path from 'node:path'
import { loadedPackages } from '@svc/conformance/testing/loaded-packages'
import { expect, it } from 'vitest'

const main = path.join(import.meta.dirname, 'main.ts')

it.each([{ words: ['--help'] }, { words: ['--version'] }, { words: ['plug', '--help'] }])(
  'svc $words reads the table of commands and none of them',
  async ({ words }) => {
    const loaded = await loadedPackages([main, ...words])
    const packages = loaded.filter((name) => !/^(node:|Internal)/.test(name))
    // Of contract the docs of errors: a table without zod.
    expect(packages.toSorted()).toEqual(['@svc/cli', '@svc/contract', 'citty'])
  },
)
