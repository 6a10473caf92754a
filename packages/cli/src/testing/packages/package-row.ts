import type { Engine } from '@svc/conformance/browsers'

/** A small app of a package from the registry, as its users write it. */
export interface PackageRow {
  /** What is shown of it; the first package by default. */
  readonly name?: string
  /** The packages with their exact versions. */
  readonly packages: Readonly<Record<string, string>>
  /** The rest of a module: `run(async () => …)` does its work, and resolves with what came of it. */
  readonly main: string
  /** Files beside the module, and those of `public`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** What `run` resolves with; left out, `true`. */
  readonly result?: unknown
  /** What `run` may resolve with instead in a browser that lacks what it needs. */
  readonly lacks?: Readonly<Partial<Record<Engine, unknown>>>
  /** What a user of the package is told: what does not work, and what to use. */
  readonly note?: string
  /** What the document hears of refusals besides, in any browser; left out, nothing may be said. */
  readonly says?: RegExp
}

/** Makes a row of packages that are tried in the same way. */
export const row = (
  packages: PackageRow['packages'],
  main: string,
  more: Omit<PackageRow, 'packages' | 'main'> = {},
): PackageRow => ({
  packages,
  main,
  ...more,
})

/** What is shown of a row. */
export const nameOf = ({ name, packages }: PackageRow): string => name ?? Object.keys(packages)[0] ?? ''
