import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { templates } from '../packages/create-svc/src/index.ts'
import { commandProblem, wordsOf } from './command-problem.ts'
import { notRun, whyNotRun } from './not-run.ts'
import { blocksOf, commandsOf, pageFiles } from './page-commands.ts'

const read = (file: string) => readFileSync(file, 'utf8')

const scriptsIn = (file: string): string[] =>
  Object.keys((JSON.parse(read(file)) as { readonly scripts?: object }).scripts ?? {})
const packagesOf = (layers: readonly string[]) =>
  globSync(layers.map((layer) => `packages/create-svc/templates/${layer}/package.json`))
/** What `npm run` finds where a page is read: in a project of a template, or here and in what guides create. */
function scriptsOf(page: string): ReadonlySet<string> {
  const [, layer] = /templates\/([\w-]+)\//.exec(page) ?? []
  if (layer === undefined) return new Set(['package.json', ...packagesOf(['*'])].flatMap(scriptsIn))
  const made = templates.filter(({ layers }) => layers.includes(layer))
  const each = made.map(({ layers }) => packagesOf(layers).flatMap(scriptsIn))
  return new Set(each.flat().filter((name) => each.every((names) => names.includes(name))))
}

/** Commands in a line of text, in blocks of YAML and INI, and those that nothing runs. */
function checkedIn(page: string): string[] {
  const text = read(page)
  const lines = [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, line = '']) => line,
  )
  const configs = blocksOf(text)
    .filter(({ language }) => ['yaml', 'ini'].includes(language))
    .flatMap((block) => [...block.text.matchAll(/^(?:- run: |ExecStart=\S*\/(?=svc))(.+)$/gm)])
    .map(([, line = '']) => line)
  const shells = commandsOf(text).filter((line) => whyNotRun(page, line) !== null)
  return [...lines, ...configs, ...shells].filter((line) =>
    ['npm', 'npx', 'svc'].includes(wordsOf(line)[0] ?? ''),
  )
}

const checked = pageFiles.flatMap((page) => {
  const commands = [...new Set(checkedIn(page))].filter((line) => line.includes(' '))
  return commands.length > 0 ? [{ page, commands }] : []
})

it.each(checked)('the commands in the text of $page exist', async ({ page, commands }) => {
  const scripts = scriptsOf(page)
  const problems = await Promise.all(commands.map((line) => commandProblem(line, scripts)))
  expect(commands.flatMap((line, index) => (problems[index] ? [`${line}: ${problems[index]}`] : []))).toEqual(
    [],
  )
})

it('gives reasons for commands that there are', () => {
  const all = pageFiles.flatMap((page) => commandsOf(read(page)).map((line) => ({ page, line })))
  const used = (row: (typeof notRun)[number]) =>
    all.some(({ page, line }) => (row.page ?? page) === page && row.command.test(line))
  expect(notRun.filter((row) => !used(row))).toEqual([])
})

it.each([
  ['npm run fly', 'there is no script fly'],
  ['npm run dev -- --port 0', null],
  ['npm install --save-dev @svc/cli vitest', null],
  ['npm install left-pad', 'pages install no left-pad'],
  ['npm create svc my-app -- --template app', null],
  ['npm create svc my-app -- --template angular', 'there is no template "angular"'],
  ['npm create svc my-app -- --templat app', "unknown option '--templat'; did you mean `--template`?"],
  ['svc fly', 'there is no command fly'],
  ['A=1 npx svc app fly', 'there is no command fly'],
  ['npx @svc/cli app check --only app.dark', null],
  ['svc app check --olny app.dark', 'there is no option --olny; did you mean `--only`?'],
  [`svc plug call --args '{"a": 1}' -- node plugin.ts --own`, null],
  ['npx svk dev', 'npx finds no svk of ours'],
  ['npx svc-mcp -- npx -y other', null],
  ['cp -r a b', null],
])('says of %s: %j', async (command, problem) => {
  expect(await commandProblem(command, new Set(['dev']))).toBe(problem)
})
