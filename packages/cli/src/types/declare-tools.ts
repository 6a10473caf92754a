import type { PluginDescription } from '@svc/contract/stdio'
import { FILE_MAX_CHARS, openAliases } from './aliases.ts'
import { toolText, untypable } from './tool-text.ts'
import { propertyName, stringLiteral } from './ts-text.ts'

/** A plugin whose tools are declared, under each name by which the app may call it. */
export interface NamedPlugin {
  readonly names: readonly string[]
  readonly description: PluginDescription
}

/** What a file of declarations says. */
export interface Declarations {
  /** Its first lines, without the marks of a comment. */
  readonly header: readonly string[]
  readonly plugins: readonly NamedPlugin[]
  /** Names of plugins whose tools are not known. */
  readonly open?: readonly string[]
}

const INDENT = '    '

/**
 * Writes the file that declares tools for `@svc/sdk`. The same descriptions give the same text: plugins, tools and
 * members are in the order of their names.
 *
 * Errors: `failed`, naming plugin and tool, where a description is too large for types.
 */
export function declareTools({ header, plugins, open = [] }: Declarations): string {
  const aliases = openAliases()
  let chars = 0

  function membersOf(plugin: string, { tools }: PluginDescription): string {
    const members = [...tools].sort(byName).map((tool) => {
      const text = toolText(plugin, tool, aliases)
      chars += text.length
      if (chars + aliases.text().length > FILE_MAX_CHARS)
        throw untypable(plugin, tool.name, `types make the file longer than ${FILE_MAX_CHARS} characters`)
      return text
    })
    return members.length === 0 ? '{}' : `{\n${members.join('')}${INDENT}}`
  }

  const entries = plugins
    .map(({ names, description }) => ({ names: [...names].sort(), description }))
    .sort((a, b) => (String(a.names[0]) < String(b.names[0]) ? -1 : 1))
    .flatMap(({ names: [first = '', ...others], description }) => [
      { name: first, text: membersOf(first, description) },
      // Another name of the same plugin has the same tools.
      ...others.map((name) => ({ name, text: `KnownTools[${stringLiteral(first)}]` })),
    ])
  const unknown = open.map((name) => ({ name, text: 'unknown' }))
  const body = `${interfaceText('KnownTools', entries)}${unknown.length > 0 ? interfaceText('OpenTools', unknown) : ''}`
  return [
    ...header.map((line) => `// ${line}\n`),
    '\n',
    // Without an import the compiler would not look for the package that is added to.
    `import type {${body.includes('Payload<') ? ' Payload ' : ''}} from '@svc/sdk'\n`,
    '\n',
    aliases.text(),
    `declare module '@svc/sdk' {\n${body}}\n`,
  ].join('')
}

interface Named {
  readonly name: string
}

const byName = (a: Named, b: Named): number => (a.name < b.name ? -1 : 1)

function interfaceText(name: string, entries: readonly (Named & { readonly text: string })[]): string {
  const lines = [...entries].sort(byName).map((one) => `${INDENT}${propertyName(one.name)}: ${one.text}\n`)
  return lines.length === 0 ? `  interface ${name} {}\n` : `  interface ${name} {\n${lines.join('')}  }\n`
}
