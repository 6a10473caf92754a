import { cpSync, globSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compareSemver, isSemver } from '../../packages/contract/src/values/semver.ts'

/**
 * Writes what the menu of versions reads, newest first, the page that leads to the newest, and that of the newest for what
 * is not there.
 */
export function writeVersions(out: string): void {
  const versions = globSync('*/index.html', { cwd: out })
    .map((file) => path.dirname(file))
    .filter(isSemver)
    .sort((a, b) => compareSemver(b, a))
  writeFileSync(path.join(out, 'versions.json'), JSON.stringify(versions))
  writeFileSync(path.join(out, 'index.html'), leadTo(`./${versions[0]}/`))
  cpSync(path.join(out, versions[0] ?? '', '404.html'), path.join(out, '404.html'))
}

const leadTo = (url: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${url}">
<title>svc</title>
<p><a href="${url}">The docs of the newest version</a></p>
</html>
`
