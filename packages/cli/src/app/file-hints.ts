import { writtenSecrets } from '../project/written-secrets.ts'
import type { Bundle } from './bundle-files.ts'
import type { Finding } from './lint.ts'

const SHOWN_NAMES = 10
/** Sources, tests and settings of tools. */
const UNUSED =
  /\.(?:[cm]?tsx?|jsx|vue|svelte|s[ac]ss|less|py|map\.gz)$|\.(?:test|spec)\.[cm]?js$|(?:^|\/)(?:package(?:-lock)?\.json|tsconfig.*\.json|(?:vite|vitest|eslint|svc|biome|rollup|webpack)\.config\..*|pnpm-lock\.yaml|yarn\.lock|dockerfile|makefile|__tests__\/.*)$/i

/** What of a bundle's folder is not pushed, and what is pushed and perhaps should not be. */
export function fileHints({ files, leftOut }: Pick<Bundle, 'files' | 'leftOut'>): Finding[] {
  const unused = [...files.keys()].filter((path) => UNUSED.test(path))
  return [
    ...[...leftOut].map(([why, paths]): Finding => hint('files', `${named(paths)} left out: ${why}`)),
    ...(unused.length > 0
      ? [hint('files', `${named(unused)} pushed, though no browser needs such files`)]
      : []),
    ...[...files].flatMap(([path, bytes]) =>
      writtenSecrets(bytes).map(
        ({ line, what }): Finding => ({
          ...hint(`${path}:${line}`, `has what looks like ${what}`),
          hint: 'Everybody who opens the app can read it: take it out, and revoke it if it was pushed before.',
        }),
      ),
    ),
  ]
}

const hint = (where: string, problem: string): Finding => ({ level: 'hint', where, problem })

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN_NAMES).map((path) => JSON.stringify(path))
  const more = paths.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''} ${paths.length === 1 ? 'is' : 'are'}`
}
