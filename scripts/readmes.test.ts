import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { published, readManifest } from './libraries.ts'
import { blocksOf, commandsOf } from './page-commands.ts'
import { openEditor } from './testing/types.ts'

const readmes = published.map((dir) => ({
  name: readManifest(dir).name,
  dir,
  text: readFileSync(`${dir}/README.md`, 'utf8'),
}))

/** The page of the shell, which comes with the command line: nobody installs it. */
const notInstalled = ['@svc/shell']

it.each(readmes.filter(({ name }) => !notInstalled.includes(name)))(
  'the page of $name begins with how to install it',
  ({ name, text }) => {
    const way = name.startsWith('create-') ? `create ${name.slice('create-'.length)}` : `install .*${name}`
    expect(commandsOf(text)[0]).toMatch(new RegExp(`^npm ${way}( |$)`))
  },
)

const snippets = readmes.flatMap(({ name, dir, text }) =>
  blocksOf(text)
    .filter(({ language }) => language === 'ts')
    .map((block, at) => ({ name, dir, at: at + 1, text: block.text })),
)

/** Where a snippet finds what it imports: mostly among the packages of the tests. */
const places = new Map([
  ['packages/cli', 'cli'],
  ['packages/state', 'host'],
  ['packages/testing', 'testing'],
  ['packages/create-svc', 'create-svc'],
])

it.each(snippets)('snippet $at of $name is TypeScript without an error', ({ dir, text }) => {
  const { errors } = openEditor(places.get(dir) ?? 'conformance', text)
  const own = /Cannot find module '\.\//
  expect([...errors.values()].flat().filter((error) => !own.test(error))).toEqual([])
})
