import { didYouMean, wordList } from '@svc/contract'
import type { RouteAnswer } from '@svc/contract/route-client'
import { defineCommand } from 'citty'
import { connect, hostArgs } from '../../host/sign-in.ts'
import { failure } from '../../terminal/failure.ts'
import { print } from '../../terminal/print.ts'
import { readValue } from '../../terminal/read-value.ts'
import { table } from '../../terminal/table.ts'

type Variable = RouteAnswer<'GET /plugs/{tool_id}/variables'>['variables'][number]

/** `svc plug set`: gives a variable of a plugin a value, or lists them. The value is never an argument. */
export const set = defineCommand({
  args: {
    tool_id: {
      type: 'positional',
      required: true,
      description: 'The id of the plugin, as svc plug list has it.',
    },
    name: { type: 'positional', required: false, description: 'The variable; left out, all are listed.' },
    ...hostArgs,
    clear: { type: 'boolean', default: false, description: 'Takes the value back.' },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    const host = await connect(args)
    const params = { tool_id: args.tool_id }
    const before = await host.ask('GET /plugs/{tool_id}/variables', { params })
    const { name } = args
    if (name === undefined) return print(args.json ? JSON.stringify({ ok: true, ...before }) : listed(before))
    const variable = before.variables.find((one) => one.name === name)
    if (!variable) throw unknown(name, before)
    const value = args.clear ? null : await readValue(variable)
    const after = await host.ask('PUT /plugs/{tool_id}/variables', {
      params,
      body: { values: { [name]: value } },
    })
    const done = `${name} of ${after.name} is ${value === null ? 'taken back' : 'set'}.`
    const still = after.missing.length > 0 ? ` It still needs ${wordList(after.missing)}.` : ''
    print(args.json ? JSON.stringify({ ok: true, ...after }) : done + still)
  },
})

const unknown = (
  name: string,
  { name: plugin, variables }: { name: string; variables: readonly Variable[] },
) => {
  const names = variables.map((one) => one.name)
  return failure(
    'usage',
    `${plugin} has no variable ${JSON.stringify(name)}${didYouMean(name, names)}`,
    names.length > 0 ? `It has ${wordList(names)}.` : 'It takes no variables.',
  )
}

const listed = ({ name, variables }: { readonly name: string; readonly variables: readonly Variable[] }) =>
  variables.length === 0
    ? `${name} takes no variables.`
    : table(
        ['name', 'value', 'what it is for'],
        variables.map((one) => [one.name, valueText(one), one.description ?? '']),
      )

function valueText({ default: usual, is_set, required, value }: Variable): string {
  if (is_set) return value ?? 'set, not shown'
  if (usual !== null) return `not set: ${usual}`
  return required ? 'not set, needed' : 'not set'
}
