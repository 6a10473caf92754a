import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProject } from './create-project.ts'
import { readOptions } from './read-options.ts'
import { templates } from './templates.ts'

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'svc-create-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const create = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  createProject(readOptions(words), { cwd, env, version: '1.2.3', terminal: null })
const read = (file: string) => readFileSync(path.join(cwd, file), 'utf8')

verifies('create.refused', 'refuses in one sentence, with a hint, and writes nothing', async () => {
  mkdirSync(path.join(cwd, 'full'))
  writeFileSync(path.join(cwd, 'full/notes.txt'), '')
  writeFileSync(path.join(cwd, 'file'), '')
  symlinkSync('gone', path.join(cwd, 'link'))
  const near = (name: string) => `This would be one: npm create svc ${name}`
  const chars = 'a name begins with a letter, and has lower-case letters, digits and single dashes'
  const other = 'Choose another name, or move away what is there.'
  const go = 'Go to its parent folder first, and give only a name: npm create svc my-app'
  const dashes =
    'Options come after --: npm create svc my-app -- --template app. npm create svc -- --help lists them.'
  const help = 'npm create svc -- --help lists the options.'
  const example =
    'For example: npm create svc my-app -- --template app-react (the first -- is for npm); --list shows the templates.'
  const all = `The templates are ${templates.map(({ name }) => name).join(', ')}.`
  const path_ = (text: string) => `a project is created where the command runs, and "${text}" is a path`
  const before = readdirSync(cwd, { recursive: true })
  for (const [words, sentence, hint] of [
    [['full'], 'the folder full is not empty', other],
    [['file'], 'file is there already, and is not a folder', other],
    [['link'], 'link is there already, and is not a folder', other],
    [['My App'], `${chars}, got "My App"`, near('my-app')],
    [['Übung'], `${chars}, got "Übung"`, near('u-bung')],
    [['a--b'], `${chars}, got "a--b"`, near('a-b')],
    [['7up'], `${chars}, got "7up"`, near('up')],
    [['…'], `${chars}, got "…"`, 'For example: npm create svc my-app'],
    [['a'.repeat(41)], `a name has at most 40 characters, got "${'a'.repeat(41)}"`, near('a'.repeat(40))],
    [['../up'], path_('../up'), go],
    [['..'], path_('..'), go],
    [['/tmp/app'], path_('/tmp/app'), go],
    [['C:\\app'], path_('C:\\app'), go],
    [['~/app'], path_('~/app'), go],
    [['app', '-t', 'angular'], 'there is no template "angular"', all],
    [['app', '-t', 'app-recat'], 'there is no template "app-recat"; did you mean `app-react`?', all],
    [['app', '-t', 'pyhton'], 'there is no template "pyhton"; did you mean `plugin-python`?', all],
    [['app', '--templat', 'app'], "unknown option '--templat'; did you mean `--template`?", help],
    [['app', '--no-instal'], "unknown option '--no-instal'; did you mean `--no-install`?", help],
    [['app', 'other'], 'one project is created at a time, got "app" and "other"', dashes],
  ] as const) {
    const template = words.some((word) => word.startsWith('-')) ? [] : ['-t', 'app']
    const refused = (async () => create([...words, ...template]))()
    await expect(refused, words.join(' ')).rejects.toMatchObject({ message: sentence, hint })
  }
  for (const [words, missing] of [
    [[], 'a name and a template'],
    [['app'], 'a template'],
    [['-t', 'app'], 'a name'],
  ] as const)
    await expect(create(words)).rejects.toMatchObject({
      message: `${missing} must be given where nobody can be asked`,
      hint: example,
    })
  expect(readdirSync(cwd, { recursive: true })).toEqual(before)
})

verifies('create.filled', 'fills a template with the name and with the version of the packages', async () => {
  const created = await create(['my-tool', '-t', 'plugin-node'])
  expect(created).toMatchObject({
    name: 'my-tool',
    template: 'plugin-node',
    next: ['cd my-tool', 'npm install', 'npm run dev'],
  })
  expect(JSON.parse(read('my-tool/package.json'))).toMatchObject({
    name: 'my-tool',
    dependencies: { '@svc/plugin': '^1.2.3' },
  })
  expect(read('my-tool/svc.plug.json')).toContain('"name": "My tool"')
  expect(read('my-tool/src/plugin.ts')).toContain("name: 'my-tool'")
  expect(read('my-tool/.gitignore')).toContain('node_modules/')
})

it.each(templates)('has everything of $name filled, and a page of one screen', async ({ name, kind }) => {
  const created = await create([`my-${kind}`, '-t', name])
  for (const file of created?.files ?? [])
    expect(read(`my-${kind}/${file}`), file).not.toMatch(/\{\{\w+\}\}|workspace:/)
  const page = read(`my-${kind}/README.md`).trim().split('\n')
  expect(page[0]).toBe(`# My ${kind}`)
  expect(page.length).toBeLessThan(40)
  const { scripts } = JSON.parse(read(`my-${kind}/package.json`))
  for (const script of ['dev', 'build', 'test']) expect(scripts).toHaveProperty(script)
})

it.each([
  ['app-vanilla', 'saved-name.ts', '@svc/sdk'],
  ['app-react', 'app.tsx', '@svc/react'],
  ['app-vue', 'app.vue', '@svc/vue'],
  ['app-svelte', 'app.svelte', '@svc/svelte'],
])('names in the page of %s the files and the package that it has', async (template, asks, binding) => {
  const created = await create(['my-app', '-t', template])
  const page = read('my-app/README.md')
  expect(page).toContain(`with \`${binding}\``)
  const named = [...page.matchAll(/`(src\/[\w.-]+)`/g)].map(([, file]) => file)
  expect(named).toContain(`src/${asks}`)
  expect(created?.files).toEqual(expect.arrayContaining(named))
  expect(JSON.parse(read('my-app/package.json')).dependencies).toHaveProperty([binding])
})

it('takes the name of a kind as its first template, and the defaults with --yes', async () => {
  expect(await create(['one', '--template', 'host'])).toMatchObject({ template: 'host-serve' })
  expect(await create(['--yes'])).toMatchObject({ name: 'my-app', template: 'app-vanilla' })
})

it('creates in the folder where it runs, also in a new repository', async () => {
  const here = path.join(cwd, 'here')
  mkdirSync(path.join(here, '.git'), { recursive: true })
  const options = readOptions(['.', '-t', 'app'])
  const created = await createProject(options, { cwd: here, env: {}, version: '1.2.3', terminal: null })
  expect(created).toMatchObject({ name: 'here', dir: here, next: ['npm install', 'npm run dev'] })
})

it('keeps a program that is started by its name one', async () => {
  await create(['tools', '-t', 'plugin-python'])
  expect(statSync(path.join(cwd, 'tools/plugin.py')).mode & 0o777).toBe(0o755)
  expect(statSync(path.join(cwd, 'tools/package.json')).mode & 0o777).toBe(0o644)
})

it.each([
  ['npm/11.0.0 node/v24.0.0 linux x64', 'npm'],
  ['pnpm/12.0.0 npm/? node/v24.0.0', 'pnpm'],
  ['yarn/4.0.0 npm/? node/v24.0.0', 'yarn'],
  ['bun/2.0.0 npm/? node/v24.0.0', 'bun'],
  [undefined, 'npm'],
])('says the next commands for whoever runs it: %s', async (npm_config_user_agent, manager) => {
  const created = await create(['my-app', '-t', 'app'], { npm_config_user_agent })
  expect(created?.next).toEqual(['cd my-app', `${manager} install`, `${manager} run dev`])
})
