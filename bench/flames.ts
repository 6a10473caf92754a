import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import type { Profiler } from 'node:inspector'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { flameGraph } from './flames/draw.ts'
import { mergedStacks } from './flames/stacks.ts'

const ENDING = '.cpuprofile'

/**
 * `npm run bench -- flames PROFILES… --out docs/flames`: draws each `.cpuprofile`, or all of a folder, as a flame graph of
 * the same name. Profiles come from `npm run bench -- NAME --profile DIR`, or from `node --cpu-prof`.
 */
export async function drawFlames(words: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { out: { type: 'string', default: 'docs/flames' } },
  })
  if (positionals.length === 0) throw new Error('flames takes the files or folders of profiles, got none')
  await mkdir(values.out, { recursive: true })
  for (const file of (await Promise.all(positionals.map(profilesOf))).flat()) {
    const name = basename(file, ENDING)
    const svg = flameGraph(
      name.replaceAll('-', ' '),
      mergedStacks(parsed(file, await readFile(file, 'utf8'))),
    )
    await writeFile(join(values.out, `${name}.svg`), svg)
    console.log(`${join(values.out, `${name}.svg`)}: ${(svg.length / 1_000).toFixed(0)} kB`)
  }
}

async function profilesOf(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => null)
  if (found === null) throw new Error(`there is no file or folder ${place}`)
  if (found.isFile()) return [place]
  const files = (await readdir(place)).filter((file) => file.endsWith(ENDING)).sort()
  if (files.length === 0) throw new Error(`no file in ${place} ends in ${ENDING}`)
  return files.map((file) => join(place, file))
}

function parsed(file: string, text: string): Profiler.Profile {
  try {
    const profile = JSON.parse(text) as Profiler.Profile
    if (Array.isArray(profile.nodes)) return profile
  } catch {}
  throw new Error(`${file} is not a CPU profile of V8`)
}
