import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { SAY_GAP_MS } from '../state/gather-news.ts'
import {
  button,
  choose,
  field,
  find,
  held,
  missing,
  type OpenManagePage,
  openManagePage,
  press,
  said,
  submit,
  text,
  type,
} from '../testing/manage-page.ts'
import { plugOf, versionOf } from '../testing/manage-rows.ts'
import { READ_TAB_MS } from './lists.ts'

let bed: OpenManagePage
afterEach(() => bed.close())

async function start(...prepared: Parameters<typeof openManagePage>): Promise<void> {
  bed = await openManagePage(...prepared)
}

describe('an own plugin', () => {
  const toolId = 'tool-ada-weather-1'
  async function open(...versions: readonly string[]): Promise<void> {
    await start((manage) => {
      manage.plugs = [plugOf('weather')]
      manage.versions = { [toolId]: versions.map(versionOf) }
    })
    await press('weather')
  }

  it('is shown as text, whatever it says', async () => {
    await start((manage) => {
      manage.plugs = [
        plugOf('weather', { name: '<b>bold</b>', status: 'unavailable', problem: '<i>no npm</i>' }),
      ]
    })
    expect(text()).toContain('<b>bold</b>')
    expect(text()).toContain('<i>no npm</i>')
    expect(find('#manage b, #manage i')).toBeNull()
  })

  it('is told to who listens when it is ready', async () => {
    await open()
    bed.manage.plugs = [plugOf('weather', { status: 'deploying' })]
    await act(() => bed.clock.pass(READ_TAB_MS.plugins))
    bed.manage.plugs = [plugOf('weather', { status: 'available' })]
    await act(() => bed.clock.pass(READ_TAB_MS.plugins + SAY_GAP_MS))
    expect(said()).toContain('weather is available')
  })

  it('is promoted after the page has said what that freezes', async () => {
    await open()
    await choose('Public')
    expect(text('#field-visibility')).toContain('This freezes version 1.0.0')
    expect(bed.manage.plugs).toMatchObject([{ visibility: 'private' }])
    await press('Leave it private')
    expect(held()?.id).toBe('field-visibility')
    await choose('Public')
    await press('Make it public')
    expect(bed.manage.plugs).toMatchObject([{ visibility: 'public' }])
    expect(said()).toContain('weather is public')
    expect(held()?.id).toBe('field-visibility')
  })

  it('is saved when it is edited, and keeps what is typed until then', async () => {
    await open()
    expect(button('Save')).toBeUndefined()
    await type('name', 'sun')
    await press('All plugins')
    await press('weather')
    expect(field('name')?.value).toBe('sun')
    await press('Discard changes')
    expect([field('name')?.value, held()?.id, button('Save')]).toEqual(['weather', 'field-name', undefined])
    await type('name', 'sun')
    await type('tags', 'sky, sky, ')
    await press('Save')
    expect(bed.manage.plugs).toMatchObject([{ name: 'sun', tags: ['sky'] }])
    expect(held()?.id).toBe('field-name')
  })

  it('shows the digest of its package and keeps it when the version is edited', async () => {
    const integrity = `sha512-${'a'.repeat(86)}==`
    const npm = { type: 'npm', package_name: 'weather', version: '1.0.0', integrity } as const
    await start((manage) => {
      manage.plugs = [plugOf('weather', { distribution: npm })]
    })
    await press('weather')
    expect(field('integrity')?.value).toBe(integrity)
    await type('package_version', '1.0.1')
    await press('Save')
    expect(bed.manage.plugs).toMatchObject([{ distribution: { ...npm, version: '1.0.1' } }])
  })

  it('says what is missing instead of saving it', async () => {
    await open()
    await type('path', '')
    expect(missing()).toEqual(['Path, for the distribution Local file'])
    expect(button('Save')).toBeUndefined()
  })

  it('shows a difference before it is published', async () => {
    await open('0.9.0')
    await press('Show the changes')
    expect(text('[aria-label=Difference]')).toContain('From 0.9.0 to 1.0.1: 1 changed.')
    expect(text('[aria-label=Difference]')).toContain('changed the description of tool forecast')
    await press('Publish 1.0.1')
    expect(find('[aria-label=Difference]')).toBeNull()
    expect(held()?.id).toBe('field-publish_version')
    expect([...document.querySelectorAll('#manage ol h4')].map((one) => one.textContent)).toEqual([
      '1.0.1',
      '0.9.0',
    ])
    expect(said()).toContain('Version 1.0.1 was published')
  })

  it('is refused a version in which nothing is different, in the words of the host', async () => {
    await open('1.0.0')
    await press('Show the changes')
    expect(text('[aria-label=Difference]')).toContain('Nothing has changed since 1.0.0.')
    await press('Publish anyway')
    expect(text('[aria-label=Difference] [role=alert]')).toBe(
      'no_content_changes There are no content changes since the last version.',
    )
  })

  it('compares nothing while something typed is not saved', async () => {
    await open('1.0.0')
    await type('name', 'sun')
    await press('Show the changes')
    expect(bed.manage.asked).not.toContain(`preview ${toolId}`)
    expect(held()?.id).toBe('field-name')
  })

  it('is yanked with a reason and what comes in its place, and taken back', async () => {
    await open('1.0.1', '1.0.0')
    await press('Yank 1.0.0')
    expect(held()?.tagName).toBe('INPUT')
    await act(async () => {
      const [input, select] = [...document.querySelectorAll<HTMLInputElement>('form input, form select')]
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'it leaks')
      input?.dispatchEvent(new Event('input', { bubbles: true }))
      if (select) select.value = '1.0.1'
      select?.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await submit()
    expect(bed.manage.asked).toContain('mark 1.0.0 yanked it leaks 1.0.1')
    expect(text('[data-heading="version-1.0.0"]')).toContain('yanked')
    expect(text('[data-heading="version-1.0.0"]')).toContain('it leaksUse 1.0.1 in its place.')
    expect(held()?.id).toBe('version-1.0.0')
    await press('Take back 1.0.0')
    await submit()
    expect(bed.manage.asked).toContain('mark 1.0.0 active null null')
  })

  it('is removed by who types its name', async () => {
    await open()
    await press('Remove weather')
    await submit()
    expect(text('[aria-label=Remove]')).toContain('Type weather to remove it.')
    expect(bed.manage.plugs).toHaveLength(1)
    await act(async () => {
      const input = find<HTMLInputElement>('[aria-label=Remove] input')
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'weather')
      input?.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await submit()
    expect(bed.manage.plugs).toEqual([])
    expect([held()?.tagName, held()?.textContent]).toEqual(['H3', 'Your plugins'])
  })
})
