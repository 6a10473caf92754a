import { readdirSync } from 'node:fs'
import path from 'node:path'
import { nearest } from '@svc/contract/nearest'

/** What follows "there is no …" of a path: ``; did you mean `examples/notes`?`` where files of near names are there. */
export function didYouMeanPath(wrong: string): string {
  const found = nearPath(path.normalize(wrong))
  return found === null ? '' : `; did you mean \`${found}\`?`
}

function nearPath(wrong: string): string | null {
  let at = path.parse(wrong).root
  for (const part of wrong.slice(at.length).split(path.sep).filter(Boolean)) {
    const names = namesIn(at || '.')
    const name = part === '..' || names.includes(part) ? part : nearest(part, names)
    if (name === null) return null
    at = path.join(at, name)
  }
  return at
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}
