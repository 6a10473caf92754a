// Holds the packages to the arrows of the project: which package may import which
// (docs/decisions/0001-a-package-is-a-place.md), and the layers of a package to their order
// (docs/decisions/0070-layers-of-the-host.md).
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Manifest, readImports, wrongDependencies, wrongImports } from './arrows.ts'
import { wrongSteps } from './layers.ts'

const read = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8')) as Manifest

const contract = read('packages/contract/package.json')
const subpaths = Object.keys(contract.exports ?? {}).map((name) => name.slice(2))
/** The files of a package are in `src`, those of bench in its own folder. */
const filesOf = (dir: string) =>
  globSync(dir === 'bench' ? 'bench/**/*.ts' : `${dir}/src/**/*.{ts,tsx}`, {
    exclude: ['**/node_modules/**'],
  })

const findings = globSync(['packages/*/package.json', 'bench/package.json'])
  .sort()
  .flatMap((manifest) => {
    const dir = path.dirname(manifest)
    const name = path.basename(dir)
    const files = filesOf(dir).sort()
    return [
      ...wrongDependencies(name, read(manifest)).map((sentence) => `${manifest}: ${sentence}`),
      ...files.flatMap((file) => {
        const depth = path.relative(dir, path.dirname(file)).split(path.sep).filter(Boolean).length
        const imports = readImports(readFileSync(file, 'utf8'))
        const step = { name, file: path.posix.relative(`${dir}/src`, file), imports }
        return [...wrongImports({ name, file, depth, imports, subpaths }), ...wrongSteps(step)].map(
          (sentence) => `${file}: ${sentence}`,
        )
      }),
    ]
  })

for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1
