import { describe, expect, it } from 'vitest'
import { fieldOf, withLabels } from './field.ts'

describe('a refusal stands beside its field', () => {
  it.each([
    ['name must have at most 80 characters, got "…"', 'name'],
    ['manifest.tools.0.name is required, got nothing', 'manifest'],
    ['distribution.path must be an absolute path', 'path'],
    ['distribution.version must be one version', 'package_version'],
    ['distribution.integrity must be sha512- and', 'integrity'],
    ['distribution.urls.linux-x64.sha256 must be 64', 'binaries'],
    ['logo_url must be https', 'logo_url'],
    ['readme is required for a skill', 'readme'],
    ['tags.3 must have a visible character', 'tags'],
    ['version must not be below the latest', 'publish_version'],
    ['namely something else', 'form'],
    ['the draft expired', 'form'],
  ])('%s', (sentence, field) => expect(fieldOf(sentence)).toBe(field))
})

describe('a text of the host calls the fields as the form does', () => {
  it.each([
    ['Name one by executable_name.', 'Name one by “Executable”.'],
    ['distribution.package_name must be a name', '“Package” must be a name'],
    ['executable_names are many', 'executable_names are many'],
    ['the path is wrong', 'the path is wrong'],
  ])('%s', (text, told) => expect(withLabels(text)).toBe(told))
})
