import { describe, expect, it } from 'vitest'
import { fieldOf, withLabels } from './field.ts'

describe('a refusal stands beside its field', () => {
  it.each([
    ['name', 'name'],
    ['manifest.tools.0.name', 'manifest'],
    ['distribution.path', 'path'],
    ['distribution.version', 'package_version'],
    ['distribution.integrity', 'integrity'],
    ['distribution.urls.linux-x64.sha256', 'binaries'],
    ['logo_url', 'logo_url'],
    ['readme', 'readme'],
    ['tags.3', 'tags'],
    ['version', 'publish_version'],
    ['namely', 'form'],
    [undefined, 'form'],
  ])('%s', (path, field) => expect(fieldOf(path)).toBe(field))
})

describe('a text of the host calls the fields as the form does', () => {
  it.each([
    ['Name one by executable_name.', 'Name one by “Executable”.'],
    ['distribution.package_name must be a name', '“Package” must be a name'],
    ['executable_names are many', 'executable_names are many'],
    ['the path is wrong', 'the path is wrong'],
  ])('%s', (text, told) => expect(withLabels(text)).toBe(told))
})
