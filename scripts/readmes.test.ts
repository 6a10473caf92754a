import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { published, readManifest } from './libraries.ts'
import { commandsOf } from './page-commands.ts'

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
