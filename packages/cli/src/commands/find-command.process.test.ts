import { expect, it } from 'vitest'
import { commands } from './commands.ts'
import { findCommand } from './find-command.ts'
import { judgeWords } from './judge-words.ts'

it('lists commands by their descriptions, without reading them', async () => {
  const { command, path, rest } = await findCommand(['plug', '--help'])
  expect([path, rest]).toEqual(['svc plug', ['--help']])
  expect(command).toEqual({
    meta: { name: 'svc plug', description: commands.plug?.description },
    subCommands: Object.fromEntries(
      Object.entries(commands.plug?.commands ?? {}).map(([name, { description }]) => [
        name,
        { meta: { description } },
      ]),
    ),
  })
})

it.each(
  Object.entries(commands).flatMap(([name, { commands: below }]) =>
    below ? Object.keys(below).map((one) => [name, one]) : [[name]],
  ),
)('reads %s %s, which takes options', async (...words) => {
  const found = await findCommand([...words, '--json', 'x'])
  expect(found).toMatchObject({ path: `svc ${words.join(' ')}`, rest: ['--json', 'x'] })
  expect(found.command.run).toBeTypeOf('function')
  expect(() => judgeWords({ ...found, rest: ['--fly'] }, ['--fly'])).toThrow('there is no option --fly')
})
