// Writes the files of the examples that are those of a template; with --check it only says which differ.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { driftOf, wantedFiles } from './drift.ts'
import { followers } from './followers.ts'

const checking = process.argv.includes('--check')
for (const follower of followers) {
  const dir = path.join('examples', follower.example)
  const drift = driftOf(dir, follower)
  if (drift.length === 0) continue
  if (checking) {
    for (const sentence of drift) console.error(sentence)
    process.exitCode = 1
    continue
  }
  for (const [file, text] of wantedFiles(dir, follower)) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true })
    writeFileSync(path.join(dir, file), text)
  }
  console.log(`written: ${dir}`)
}
