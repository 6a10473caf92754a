import { getByLabelSelector, getByRoleSelector, getByTextSelector, getByTitleSelector } from 'ivya'
import type { StoryLocator, StoryScope } from '../story-page.ts'
import type { InPage } from './in-page.ts'
import type { Documents } from './webkit-document.ts'

/** The code points of WebDriver for keys that write nothing. */
const KEYS: Readonly<Record<string, string>> = { Enter: '\uE007', Escape: '\uE00C', Control: '\uE009' }

/** Where an element is: the iframes on the way, and its selector in the document of the last one. */
interface Place {
  readonly frames: readonly string[]
  readonly selector: string
}

interface PlacedLocator extends StoryLocator {
  readonly place: Place
}

const hasText = (text: string | RegExp) =>
  getByTextSelector(text).replace('internal:text', 'internal:has-text')
const inQuotes = (other: StoryLocator) => JSON.stringify((other as PlacedLocator).place.selector)

/** What finds elements below a place; below a document, its selector is empty. */
export function scopeAt(documents: Documents, { frames, selector }: Place): StoryScope {
  const below = (more: string) =>
    locatorAt(documents, { frames, selector: selector === '' ? more : `${selector} >> ${more}` })
  return {
    getByRole: (role, options) => below(getByRoleSelector(role, options)),
    getByText: (text, options) => below(getByTextSelector(text, options)),
    getByLabel: (text, options) => below(getByLabelSelector(text, options)),
    getByTitle: (text, options) => below(getByTitleSelector(text, options)),
    locator: (css, options) =>
      below(options?.hasText === undefined ? css : `${css} >> ${hasText(options.hasText)}`),
  }
}

/** An element in WebKit, which is found anew for each thing that is done with it. */
function locatorAt(documents: Documents, place: Place): PlacedLocator {
  const { frames, selector } = place
  const also = (...more: string[]) =>
    locatorAt(documents, { frames, selector: [selector, ...more].join(' >> ') })
  const until = (attempt: () => Promise<boolean>) =>
    documents.until([...frames, selector].join(' → '), attempt)

  /** Runs a function of the finder once. */
  const ask = async <Result>(
    run: (story: InPage, selector: string, ...args: never[]) => Result,
    ...args: readonly unknown[]
  ) => (await documents.run(frames, String(run), [selector, ...args])) as Result

  /** Runs a function with the element, once it is there. */
  async function read<Result>(
    run: (element: HTMLElement, ...args: never[]) => Result | Promise<Result>,
    ...args: readonly unknown[]
  ): Promise<Result> {
    const source = `async (story, selector, ...args) => {
      const element = story.one(selector)
      return element && { value: await (${run})(element, ...args) }
    }`
    const results: Result[] = []
    await until(async () => {
      const found = (await documents.run(frames, source, [selector, ...args])) as { value: Result } | null
      if (found) results.push(found.value)
      return found !== null
    })
    return results[0] as Result
  }
  const command = (find: (story: InPage, selector: string) => unknown, name: string, body: object) =>
    until(() => documents.command(frames, String(find), [selector], [[name, body]]))
  const click = () => command((story, it) => story.usable(it), 'click', {})

  return {
    ...scopeAt(documents, place),
    place,
    first: () => also('nth=0'),
    last: () => also('nth=-1'),
    nth: (at) => also(`nth=${at}`),
    and: (other) => also(`internal:and=${inQuotes(other)}`),
    filter: ({ has, hasText: text } = {}) =>
      also(...(has ? [`internal:has=${inQuotes(has)}`] : []), ...(text === undefined ? [] : [hasText(text)])),
    contentFrame: () => scopeAt(documents, { frames: [...frames, selector], selector: '' }),
    click,
    async check() {
      if (!(await read((box) => box.matches(':checked')))) await click()
    },
    async fill(text) {
      // A frame gets the focus, and with it the keys that follow, only from a press.
      await click()
      await until(() => ask((story, it, value: string) => story.fill(it, value), text))
    },
    focus: () => read((element) => element.focus()),
    press: (keys) =>
      command((story, it) => story.usable(it), 'value', {
        text: keys
          .split('+')
          .map((key) => KEYS[key] ?? key)
          .join(''),
      }),
    setInputFiles: (files) =>
      command((story, it) => story.one(it), 'value', { text: documents.pathsOf(files).join('\n') }),
    async dispatchEvent(type) {
      await read(
        (element, name: string) =>
          element.dispatchEvent(new MouseEvent(name, { bubbles: true, cancelable: true, composed: true })),
        type,
      )
    },
    waitFor: ({ state = 'visible' } = {}) =>
      until(() =>
        state === 'visible' ? ask((story, it) => story.visible(it)) : ask((story, it) => !story.one(it)),
      ),
    count: () => ask((story, it) => story.all(it).length),
    isVisible: () => ask((story, it) => story.visible(it)),
    inputValue: () => read((field) => (field as HTMLInputElement).value),
    textContent: () => read((element) => element.textContent),
    allTextContents: () => ask((story, it) => story.all(it).map(({ textContent }) => textContent)),
    getAttribute: (name) => read((element, its: string) => element.getAttribute(its), name),
    evaluate: <Result>(
      run: (element: HTMLElement, figure: number) => Result | Promise<Result>,
      figure?: number,
    ) => read<Result>(run, figure),
    evaluateAll: async <Result>(run: (elements: HTMLElement[], word: string) => Result, word?: string) => {
      const source = `(story, selector, word) => (${run})(story.all(selector), word)`
      return (await documents.run(frames, source, [selector, word])) as Result
    },
  }
}
