// `npm run tools`: installs what `npm test -- all` needs of the machine. Asks first, unless `--yes` is given. That takes
// root on Debian; elsewhere it says what is missing and how to get it.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { run } from './spawn.mjs'
import { allTools, debianOf, findTool, hintsOf } from './tools.ts'

const MINUTES = 15
/** While these files are there, Debian starts no service of what it installs, and makes no database cluster. */
const noServices = {
  '/usr/sbin/policy-rc.d': '#!/bin/sh\nexit 101\n',
  '/etc/postgresql-common/createcluster.d/svc.conf': 'create_main_cluster = false\n',
}

const { yes } = readArguments()
const isMissing = () => allTools.filter((tool) => findTool(tool) !== null)
const missing = isMissing()
if (missing.length === 0) console.log('tools: all are there')
else if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
  const how = `As root on Debian \`npm run tools\` installs ${debianOf(missing).join(' ')}.`
  fail(`missing are\n${hintsOf(missing)}\n${how}`)
} else if (!(yes || process.stdin.isTTY))
  fail(`missing are\n${hintsOf(missing)}\nnpm run tools -- --yes installs them`)
else if (yes || (await agrees(debianOf(missing)))) await install(debianOf(missing))
else fail('nothing was installed')

function readArguments() {
  try {
    return parseArgs({ options: { yes: { type: 'boolean', default: false } } }).values
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

async function agrees(packages: readonly string[]): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const services = `Until they are, ${Object.keys(noServices).join(' and ')} keep their services from starting.`
  try {
    const answer = await terminal.question(
      `apt-get will install ${packages.join(' ')}.\n${services}\nInstall them? (y/N) `,
    )
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

async function install(packages: readonly string[]): Promise<void> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, minutes: MINUTES }
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0']
  const written = Object.entries(noServices).filter(([file]) => !existsSync(file))
  try {
    for (const [file, text] of written) {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, text, { mode: 0o755 })
    }
    await run('apt-get', [...quiet, 'update'], options)
    await run('apt-get', [...quiet, 'install', '-y', '--no-install-recommends', ...packages], options)
  } finally {
    for (const [file] of written) rmSync(file, { force: true })
  }
  const left = isMissing()
  if (left.length > 0) fail(`apt-get did not bring\n${hintsOf(left)}`)
  console.log(`tools: installed ${packages.join(' ')}`)
}

function fail(sentence: string): never {
  console.error(`svc: ${sentence}`)
  process.exit(1)
}
