import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vitepress'
import { nextVersions } from '../release/next-versions.ts'
import { writeApiPages } from './api.ts'
import { writeVersions } from './versions.ts'

/** Where a site is built to, and what its pages lead to. */
export interface SiteOptions {
  /** The folder of all versions; each is a folder in it. */
  readonly out: string
  /** The path under which that folder is served, with a slash at both ends. */
  readonly base: string
  /** The address of the repository on the web, for links to sources and for the editor of a page. */
  readonly repository: string | null
}

/** Returns the version that a build is of: that of the next release, which all packages have. */
export async function siteVersion(): Promise<string> {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-version-'))
  try {
    return (await nextVersions(process.cwd(), dir)).manifest('packages/sdk').version
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** Builds the site of this version into a folder of its own, beside those of other versions, and returns that folder. */
export async function buildSite({ out, base, repository }: SiteOptions): Promise<string> {
  const version = await siteVersion()
  const outDir = path.resolve(out, version)
  await writeApiPages()
  // VitePress reads its configuration by itself.
  process.env.SVC_DOCS_VERSION = version
  process.env.SVC_DOCS_VERSIONS = `${base}versions.json`
  if (repository) process.env.SVC_DOCS_REPOSITORY = repository
  await build('docs', { outDir, base: `${base}${version}/` })
  writeVersions(out)
  return outDir
}
