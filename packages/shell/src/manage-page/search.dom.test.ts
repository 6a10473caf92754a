import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import {
  button,
  find,
  held,
  type OpenManagePage,
  openManagePage,
  press,
  said,
  tab,
  text,
} from '../testing/manage-page.ts'
import { installOf, listedOf, plugOf } from '../testing/manage-rows.ts'
import { typeInto } from '../testing/page.ts'
import { SEARCH_WAIT_MS } from './use-search.ts'

let bed: OpenManagePage
afterEach(() => bed.close())

async function start(...prepared: Parameters<typeof openManagePage>): Promise<void> {
  bed = await openManagePage(...prepared)
  bed.manage.asked.length = 0
}

/** The field with this name, as a screen reader finds it. */
const searchField = (name: string) => {
  const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name)
  return label ? find<HTMLInputElement>(`input[type=search]#${CSS.escape(label.htmlFor)}`) : null
}
const settle = () => act(() => bed.clock.pass(SEARCH_WAIT_MS))
async function search(words: string, field = 'Search plugins'): Promise<void> {
  await typeInto(searchField(field), words)
  await settle()
}
const namesIn = (list: string) =>
  [...document.querySelectorAll(`ul[aria-label="${list}"] > li [class*=name]`)]
    .filter((one) => one.matches('button, span, h4'))
    .map((one) => one.textContent)
const ofOthers = (name: string) => ({ ...listedOf(plugOf(name)), own: false })

describe('the search of plugins', () => {
  it('asks the host once the typing has settled, and shows what it finds', async () => {
    await start((manage) => {
      manage.plugs = [plugOf('sky'), plugOf('sea')]
      manage.others = [ofOthers('big sky')]
    })
    for (const typed of ['s', 'sk', 'sky']) await typeInto(searchField('Search plugins'), typed)
    expect(bed.manage.asked).toEqual([])
    await settle()
    expect(bed.manage.asked.toSorted()).toEqual(['others sky', 'own plugs sky'])
    expect(namesIn('Your plugins')).toEqual(['sky'])
    expect(namesIn('Published by others')).toEqual(['big sky'])
    expect(said()).toBe('1 plugin of yours found')
  })

  it('finds what is on no page that was read', async () => {
    await start((manage) => {
      manage.ownPage = 1
      manage.plugs = [plugOf('sea'), plugOf('sky')]
    })
    expect(namesIn('Your plugins')).toEqual(['sea'])
    await search('sky')
    expect(text()).toContain('Nothing is found yet: there is more to search.')
    await press('Show more')
    expect(namesIn('Your plugins')).toEqual(['sky'])
  })

  it('leaves the next page of all plugins to a button', async () => {
    await start((manage) => {
      manage.ownPage = 1
      manage.plugs = [plugOf('sea'), plugOf('sky')]
    })
    await press('Show more')
    expect(namesIn('Your plugins')).toEqual(['sea', 'sky'])
    expect(button('Show more')).toBeUndefined()
    expect(said()).toBe('1 more')
  })

  it('goes on where a page of it has nothing', async () => {
    await start((manage) => {
      manage.others = [ofOthers('sea'), ofOthers('sky')]
    })
    await search('sky')
    expect(text('[aria-label="Published by others"]')).toContain('there is more to search')
    await press('Show more')
    expect(namesIn('Published by others')).toEqual(['sky'])
    expect(said()).toBe('1 more')
  })

  it('says that nothing is found, and is emptied by Escape', async () => {
    await start((manage) => {
      manage.plugs = [plugOf('sky')]
    })
    await search('rain')
    expect(text()).toContain('None of your plugins is found.')
    expect(text()).toContain('No plugin of others is found.')
    expect(said()).toBe('No plugins of yours found')
    const field = searchField('Search plugins')
    await act(async () => {
      field?.focus()
      field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
    })
    expect(field?.value).toBe('')
    expect(held()).toBe(field)
    expect(namesIn('Your plugins')).toEqual(['sky'])
  })

  it('is as it was for who comes back to the tab', async () => {
    await start((manage) => {
      manage.plugs = [plugOf('sky'), plugOf('sea')]
    })
    await search('sea')
    await tab('Runners')
    await tab('Plugins')
    expect(searchField('Search plugins')?.value).toBe('sea')
    expect(namesIn('Your plugins')).toEqual(['sea'])
  })

  it('takes spaces alone for nothing', async () => {
    await start((manage) => {
      manage.plugs = [plugOf('sky')]
    })
    await search('   ')
    expect(bed.manage.asked).toEqual([])
    expect(namesIn('Your plugins')).toEqual(['sky'])
  })
})

describe('the search of apps', () => {
  it('asks the host, and says where nothing is found', async () => {
    await start((manage) => {
      manage.installs = [installOf('maps'), installOf('notes')]
    })
    await tab('Apps')
    await search('note', 'Search apps')
    expect(bed.manage.asked).toContain('installs note')
    expect(namesIn('Installed apps')).toEqual(['notes'])
    await search('rain', 'Search apps')
    expect(text()).toContain('No installed app is found.')
    expect(said()).toBe('No apps found')
    await search('', 'Search apps')
    expect(namesIn('Installed apps')).toEqual(['maps', 'notes'])
  })

  it('is not offered where no app is installed', async () => {
    await start((manage) => {
      manage.installs = []
    })
    await tab('Apps')
    expect(text()).toContain('No app is installed.')
    expect(searchField('Search apps')).toBeNull()
  })
})
