import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Whether the Python plugin can't run on this machine; the reason is printed once a test file. */
export const withoutPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status !== 0
if (withoutPython)
  console.warn('csv-lens: skipped what needs Python: there is no python3 of at least 3.9 on PATH')

/** How the two plugins are started. */
export const nodePlugin = { language: 'Node', command: [process.execPath, here('node.ts')], skip: false }
export const pythonPlugin = {
  language: 'Python',
  command: ['python3', here('python/csv_stats.py')],
  skip: withoutPython,
}

/** The table of 100 000 rows that the example ships. */
export const journeys = readFileSync(here('../data/journeys.csv'), 'utf8')
