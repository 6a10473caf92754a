// Holds what is installed to its hashes: each package of both lockfiles, and which of them may run scripts.
import { readFileSync } from 'node:fs'
import { buildFindings, lockFindings, npmLockFindings, systemFindings } from './supply-findings.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const findings = [
  ...[...lockFindings(read('pnpm-lock.yaml')), ...systemFindings(read('pnpm-lock.yaml'))].map(
    (sentence) => `pnpm-lock.yaml: ${sentence}`,
  ),
  ...buildFindings(read('pnpm-workspace.yaml')).map((sentence) => `pnpm-workspace.yaml: ${sentence}`),
  ...npmLockFindings(read('scripts/installer/package-lock.json')).map(
    (sentence) => `scripts/installer/package-lock.json: ${sentence}`,
  ),
]

for (const finding of findings) console.error(finding)
process.exitCode = findings.length === 0 ? 0 : 1
