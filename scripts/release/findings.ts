import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { isStyle, type Library } from '../libraries.ts'
import type { PackedPackage } from './pack.ts'

/** The most that a tarball may have: what users wait for. The largest of ours has a third of it. */
const PACKED_BYTES_MAX = 1024 * 1024

/** What is in every package beside what its `files` name. */
const always = ['LICENSE', 'README.md', 'package.json']

/** Says what is wrong with a tarball, one sentence each: publint, the types for each way to import, files, manifest, size. */
export async function findingsOf(packed: PackedPackage): Promise<string[]> {
  const { file, library } = packed
  const tarball = readFileSync(file)
  const bytes = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: bytes as ArrayBuffer }, strict: true })
  return [
    ...messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`),
    ...(library ? await typeFindings(tarball, library) : []),
    ...manifestFindings(pkg),
    ...fileFindings(packed),
  ]
}

/** What TypeScript does not find, or finds wrong, where it resolves as Node and bundlers do. */
async function typeFindings(
  tarball: Uint8Array,
  { platform, formats, vitest = [], oneFile }: Library,
): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(tarball))
  if (!result.types) return ['attw: the package has no types']
  const isMeant = (problem: Problem): boolean => {
    if (!('resolutionKind' in problem)) return false
    const { resolutionKind, entrypoint } = problem
    // A style sheet has no types.
    if (isStyle(entrypoint)) return true
    // `exports` is unknown to the resolution of Node 10: what is for browsers has other fields beside it.
    if (resolutionKind === 'node10') return platform === 'node'
    const isModule = !formats.includes('cjs') || [...vitest, `./${oneFile}`].includes(entrypoint)
    return resolutionKind === 'node16-cjs' && isModule
  }
  return result.problems
    .filter((problem) => !isMeant(problem))
    .map((problem) => `attw: ${JSON.stringify(problem)}`)
}

/** What nobody can install: names of the workspace, and what only developing needs. */
function manifestFindings(manifest: object): string[] {
  const text = JSON.stringify(manifest)
  return ['workspace:', 'link:', './src/', 'prepack', 'devDependencies']
    .filter((word) => text.includes(word))
    .map((word) => `package.json has "${word}"`)
}

function fileFindings({ files, size }: PackedPackage): string[] {
  const paths = files.map(({ path }) => path)
  // Sources elsewhere are meant for their reader: templates.
  const built = paths.filter((name) => /^(?:dist|src)\//.test(name))
  const sources = built.filter((name) => /\.[cm]?tsx?$/.test(name) && !/\.d\.[cm]?ts$/.test(name))
  return [
    ...always.filter((name) => !paths.includes(name)).map((name) => `${name} is missing`),
    ...sources.map((name) => `${name} is a source, which Node does not run from node_modules`),
    ...built.filter((name) => /\.test\.|\.map$/.test(name)).map((name) => `${name} is for developing`),
    ...(size > PACKED_BYTES_MAX ? [`it has ${size} bytes, more than ${PACKED_BYTES_MAX}`] : []),
  ]
}
