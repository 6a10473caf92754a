/** The scope of the packages in the sources. */
export const ownScope = '@svc'

/** The scope under which `npm run release` publishes them, unless `--scope` names another. */
export const publishScope = '@svc'

const SCOPE = /^@[a-z0-9][a-z0-9._-]*$/

/** Whether npm takes a text as a scope. */
export const isScope = (text: string): boolean => SCOPE.test(text)

/**
 * Returns a function that renames our packages in a text: in imports, manifests, declarations, messages and pages.
 * `@svc/sdk` becomes `@acme/sdk`. A package without a scope gets it: `create-svc` becomes `@acme/create-svc`, and
 * `npm create svc` becomes `npm create @acme/svc`.
 *
 * @param unscoped the names of our packages that have no scope
 */
export function renamer(scope: string, unscoped: readonly string[] = []): (text: string) => string {
  if (scope === ownScope) return (text) => text
  const rules = unscoped.flatMap((name): [RegExp, string][] => [
    [new RegExp(`(?<![\\w@/.-])${name}(?![\\w-])`, 'g'), `${scope}/${name}`],
    [
      new RegExp(`(\\b(?:npm|pnpm|yarn|bun) (?:create|init) )${name.replace(/^create-/, '')}(?![\\w-])`, 'g'),
      `$1${scope}/${name.replace(/^create-/, '')}`,
    ],
  ])
  return (text) =>
    rules.reduce(
      (renamed, [from, to]) => renamed.replaceAll(from, to),
      text.replaceAll(new RegExp(`${ownScope}/(?=[a-z])`, 'g'), `${scope}/`),
    )
}
