import { expect, it, vi } from 'vitest'
import { failure } from './bridge-error.ts'
import { type AppDownload, type AppLink, askUser, fileFor, linkTo } from './wishes.ts'

it('asks once for each app and site, and does nothing without a yes', () => {
  const asked: string[] = []
  const done: string[] = []
  let says = false
  const confirm = (question?: string) => {
    asked.push(question?.replace('An app on this page wants to ', '').split('\n')[0] ?? '')
    return says
  }
  const userActivation = { isActive: true }
  const page = { defaultView: { confirm, navigator: { userActivation } } } as unknown as Document
  const errors: string[] = []
  const onError = (error: unknown) => errors.push(String(error))
  const parts = { page, agreed: new Set<string>(), onError, failure }
  const lead = (url: string, appId = 'app-1') =>
    askUser({ ...parts, appId }, { url, open: () => void done.push(url) } satisfies AppLink)
  const offer = (name: string, appId = 'app-1') =>
    askUser({ ...parts, appId }, {
      name,
      sizeBytes: 1,
      save: () => void done.push(name),
    } satisfies AppDownload)
  lead('https://site.test/a')
  says = true
  for (const path of ['b', 'c']) lead(`https://site.test/${path}`)
  lead('http://site.test/d')
  lead('https://site.test/e', 'app-2')
  lead('tel:1')
  for (const name of ['a.csv', 'b.csv']) offer(name)
  offer('c.csv', 'app-2')
  userActivation.isActive = false
  lead('https://site.test/f')
  offer('d.csv')
  expect(errors).toEqual(Array(2).fill(expect.stringContaining('its user pressed nothing')))
  expect(asked).toEqual([
    ...Array(4).fill('open site.test in a new tab:'),
    'open tel: in a new tab:',
    'save the file a.csv',
    'save the file c.csv',
  ])
  expect(done).toEqual([
    'https://site.test/b',
    'https://site.test/c',
    'http://site.test/d',
    'https://site.test/e',
    'tel:1',
    'a.csv',
    'b.csv',
    'c.csv',
  ])
})

/** The links that a page follows meanwhile. */
function followed(run: () => void): HTMLAnchorElement[] {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  run()
  const links = click.mock.contexts as HTMLAnchorElement[]
  click.mockRestore()
  return links
}

it('opens an address in a tab that knows nothing of the page', () => {
  const [link] = followed(() => linkTo(document, 'https://site.test/').open())
  expect([link?.href, link?.target, link?.rel]).toEqual([
    'https://site.test/',
    '_blank',
    'noopener noreferrer',
  ])
})

it('saves what a document made as plain bytes, whatever they say they are', () => {
  const made = vi.spyOn(URL, 'createObjectURL')
  const [link] = followed(() => fileFor(document, 'a.html', new Blob(['<b>'], { type: 'text/html' })).save())
  expect(link?.download).toBe('a.html')
  expect(made).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ type: 'application/octet-stream' }))
  made.mockRestore()
})
