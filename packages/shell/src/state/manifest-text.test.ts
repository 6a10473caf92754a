import { describe, expect, it } from 'vitest'
import { readManifest } from './manifest-text.ts'

describe('the text of a manifest', () => {
  it.each([
    ['nothing', '  ', null],
    ['no JSON', '{"name"', 'The manifest:1:8 ends too early'],
    ['with a comma too many', '{"name": "x",}', 'The manifest:1:13 has a comma before }'],
    ['a list', '[]', 'one JSON object'],
    ['null', 'null', 'one JSON object'],
    ['no name', '{"tools": []}', 'has no "name"'],
    ['an empty name', '{"name": ""}', 'has no "name"'],
  ])('that is %s', (_, text, problem) => {
    const read = readManifest(text)
    expect(read.manifest).toBeNull()
    if (problem === null) expect(read.problem).toBeNull()
    else expect(read.problem).toContain(problem)
  })
})
