// Runs in the documents of a browser that Playwright cannot drive: finds elements as Playwright does.
import { Ivya } from 'ivya'
import { getAriaDisabled, isElementVisible } from 'ivya/utils'

const ivya = Ivya.create({ browser: 'webkit' })

const all = (selector: string): HTMLElement[] =>
  ivya.queryLocatorSelectorAll(selector, document) as HTMLElement[]

/** The one element, or none; throws where there are several. */
const one = (selector: string): HTMLElement | null =>
  ivya.queryLocatorSelector(selector, document, true) as HTMLElement | null

/** The one element once it can be used: it is shown, and not disabled. */
function usable(selector: string): HTMLElement | null {
  const element = one(selector)
  return element && isElementVisible(element) && !getAriaDisabled(element) ? element : null
}

const visible = (selector: string): boolean => {
  const element = one(selector)
  return element !== null && isElementVisible(element)
}

/** Puts a text in place of what a field has, and says so as an editor does. */
function fill(selector: string, text: string): boolean {
  const field = usable(selector)
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false
  // Frameworks shadow the property on the element.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
  field.dispatchEvent(
    new InputEvent('input', { bubbles: true, composed: true, data: text, inputType: 'insertText' }),
  )
  return true
}

const story = { all, one, usable, visible, fill }

/** What the scripts of the driver call. */
export type InPage = typeof story

Object.assign(globalThis, { svcStory: story })
