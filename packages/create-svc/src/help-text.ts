import { kinds, type TemplateKind, templates } from './templates.ts'

const NAME_WIDTH = 16

/** The templates with what they are, one a line under their kind. */
export function listText(): string {
  return (Object.keys(kinds) as TemplateKind[])
    .filter((kind) => templates.some((one) => one.kind === kind))
    .flatMap((kind) => [
      `${kind}: ${kinds[kind]}`,
      ...templates
        .filter((one) => one.kind === kind)
        .map(({ name, says }) => `  ${name.padEnd(NAME_WIDTH)}${says}`),
    ])
    .join('\n')
}

/** What `--help` prints. */
export const helpText = (): string => `npm create svc [name] [-- options]

Creates a folder with an app, a plugin, a host or a page. In a terminal it asks for what is not given.

  --template, -t NAME   what to create; the name of a kind is its first template
  --install             installs the packages too (--no-install: does not, and does not ask)
  --yes, -y             asks nothing: my-app from the first template, unless they are given
  --json                prints one line of JSON
  --list                lists the templates
  --version             prints the version

${listText()}`
