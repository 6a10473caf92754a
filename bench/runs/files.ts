import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { notARun, type Run } from './run.ts'

/** Where the files of runs are; git ignores it. */
export const RUNS_DIR = fileURLToPath(new URL('../results', import.meta.url))

/** Writes the file of a run, over what an earlier moment of the same run has written. */
export async function writeRun(run: Run, dir = RUNS_DIR): Promise<string> {
  await mkdir(dir, { recursive: true })
  const file = join(dir, `${run.name}.json`)
  await writeFile(file, `${JSON.stringify(run, null, 1)}\n`)
  return file
}

/** Returns the names of all runs, oldest first. */
export async function runNames(dir = RUNS_DIR): Promise<string[]> {
  const files = await readdir(dir).catch((): string[] => [])
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort()
}

/**
 * Reads the run that a word of the command line means: `last`, `last~2` (two before it), the beginning of a name, or the
 * path of a file. Throws an error whose sentence tells what is wrong with the word or the file.
 */
export async function readRun(word: string, dir = RUNS_DIR): Promise<Run> {
  const file =
    word.includes('/') || word.endsWith('.json') ? word : join(dir, `${await named(word, dir)}.json`)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read: ${error.code}`)
  })
  const wrong = wrongIn(text)
  if (wrong !== null) throw new Error(`${file} is not the file of a run: ${wrong}`)
  return JSON.parse(text) as Run
}

async function named(word: string, dir: string): Promise<string> {
  const names = await runNames(dir)
  if (names.length === 0) throw new Error(`there is no run in ${dir}`)
  const back = /^last(?:~(\d+))?$/.exec(word)
  if (back) {
    const name = names.at(-1 - Number(back[1] ?? 0))
    if (name === undefined) throw new Error(`there is no run ${word}: there are ${names.length}`)
    return name
  }
  const found = names.filter((name) => name.startsWith(word))
  if (found.length === 1) return found[0] as string
  const which =
    found.length === 0 ? 'the name of no run begins with it' : `${found.join(' and ')} begin with it`
  throw new Error(`there is no run ${word}: ${which}; \`npm run bench -- list\` has the last ten`)
}

function wrongIn(text: string): string | null {
  try {
    return notARun(JSON.parse(text))
  } catch {
    return 'it is not JSON'
  }
}
