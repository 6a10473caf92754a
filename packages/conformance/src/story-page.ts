/// <reference lib="dom" />
import type { Page } from 'playwright-core'

/** Where a story finds elements: a page, a document in it, an element. Playwright's own fulfil it. */
export interface StoryScope {
  getByRole(
    role: Parameters<Page['getByRole']>[0],
    options?: { readonly name?: string | RegExp; readonly exact?: boolean },
  ): StoryLocator
  getByText(text: string | RegExp, options?: { readonly exact?: boolean }): StoryLocator
  getByLabel(text: string | RegExp, options?: { readonly exact?: boolean }): StoryLocator
  getByTitle(text: string | RegExp, options?: { readonly exact?: boolean }): StoryLocator
  locator(selector: string, options?: { readonly hasText?: string | RegExp }): StoryLocator
}

/** A file of a story. */
export interface StoryFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** What a story does with an element. It waits until the element is there and can be used. */
export interface StoryLocator extends StoryScope {
  first(): StoryLocator
  last(): StoryLocator
  nth(place: number): StoryLocator
  and(other: StoryLocator): StoryLocator
  filter(options?: { readonly has?: StoryLocator; readonly hasText?: string | RegExp }): StoryLocator
  /** The document in an iframe. */
  contentFrame(): StoryScope
  click(): Promise<void>
  check(): Promise<void>
  fill(text: string): Promise<void>
  focus(): Promise<void>
  press(keys: string): Promise<void>
  setInputFiles(files: readonly StoryFile[]): Promise<void>
  dispatchEvent(type: string): Promise<void>
  waitFor(options?: { readonly state?: 'visible' | 'detached' }): Promise<void>
  count(): Promise<number>
  isVisible(): Promise<boolean>
  inputValue(): Promise<string>
  textContent(): Promise<string | null>
  allTextContents(): Promise<string[]>
  getAttribute(name: string): Promise<string | null>
  /** Runs a function in the document, which gets the element; it must not wait for what the story does next. */
  evaluate<Result>(
    run: (element: HTMLElement, figure: number) => Result | Promise<Result>,
    figure?: number,
  ): Promise<Result>
  evaluateAll<Result>(run: (elements: HTMLElement[], word: string) => Result, word?: string): Promise<Result>
}

/** The page of windows, as a story uses it. */
export interface StoryPage extends StoryScope {
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
}

/** A body of calls that the page sent to its host. */
export interface SentBody {
  readonly body: string
  /** Whether the page itself sent it, and no document in it. */
  readonly byPage: boolean
}

/** A page that is open in a browser. */
export interface OpenPage {
  readonly page: StoryPage
  /** What the page has sent so far, by either way. */
  readonly sent: readonly SentBody[]
  /** What the console of the page and of its documents has as errors so far. */
  readonly complaints: readonly string[]
  /** Replaces a text in each script of a bundle that is loaded from now on; `url` is that of the host. */
  changeScripts(url: string, from: string, to: string): Promise<void>
  /** What a user can read: on the page, and in each document on it. */
  texts(): Promise<readonly string[]>
  close(): Promise<void>
}
