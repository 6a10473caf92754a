import type { ElementHandle, Frame } from 'playwright-core'
import { bounds } from './bounds.ts'

/** A control of an app as a report names it. */
export interface Control {
  /** Its kind and name, and a number where several are alike: `button "Save"`. */
  readonly key: string
  /** What is done with it: a text is written into it, the last option is chosen, or it is clicked. */
  readonly use: 'fill' | 'choose' | 'click'
  readonly element: ElementHandle<Element>
}

/**
 * Finds the first control on the page, in the order of the document, whose key is not among `used`. It runs in the
 * document of the app, so it uses nothing from outside.
 */
function findNext({ used, wanted }: { readonly used: readonly string[]; readonly wanted: string | null }) {
  const all =
    'button, input, select, textarea, summary, a[href^="#"], [contenteditable=""], [contenteditable=true], [role=button], [role=tab], [role=checkbox], [role=switch], [role=menuitem], [role=option]'
  const counts = new Map<string, number>()
  for (const element of document.querySelectorAll(all)) {
    const input = element as HTMLInputElement
    // A box that is drawn by its label is one pixel large.
    const seen = [element, ...(input.labels ?? [])].find((one) => {
      const { width, height } = one.getBoundingClientRect()
      const isVisible = one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      return isVisible && width > 1 && height > 1
    })
    if (!seen || input.disabled || element.closest('[inert], [aria-disabled=true], [aria-hidden=true]'))
      continue
    const kind = element.localName === 'input' ? input.type : (element.role ?? element.localName)
    if (['file', 'hidden', 'reset', 'image'].includes(kind)) continue
    const label = element.getAttribute('aria-label') ?? input.labels?.[0]?.textContent ?? element.textContent
    const name = (label || input.placeholder || element.getAttribute('title') || element.id || '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 60)
    const alike = `${kind} ${JSON.stringify(name)}`
    const count = (counts.get(alike) ?? 0) + 1
    counts.set(alike, count)
    const key = count === 1 ? alike : `${alike} (${count})`
    if (wanted === null ? used.includes(key) : key !== wanted) continue
    const isText =
      element.localName === 'textarea' ||
      element.hasAttribute('contenteditable') ||
      ['text', 'search', 'email', 'url', 'tel', 'password', 'number', 'date', 'time'].includes(kind)
    const use = element.localName === 'select' ? 'choose' : isText ? 'fill' : 'click'
    return { key, use, element: use === 'click' ? seen : element }
  }
  return null
}

/** Finds the next control that was not used; with `wanted` the one that has this key. `null`: there is none. */
export async function findControl(
  frame: Frame,
  used: readonly string[],
  wanted: string | null = null,
): Promise<Control | null> {
  const found = await frame.evaluateHandle(findNext, { used, wanted })
  const about = await found.evaluate((control) => control && { key: control.key, use: control.use })
  if (!about) return null
  const element = (await found.getProperty('element')).asElement() as ElementHandle<Element> | null
  return element && { key: about.key, use: about.use as Control['use'], element }
}

/** What is written into a field, by its type. */
const texts: Readonly<Record<string, string>> = {
  email: 'ada@site.org',
  url: 'https://site.org/',
  tel: '100200300',
  date: '2026-01-15',
  time: '10:30',
}
const TEXT = 'A text of svc app check'

/** Uses a control as a person would, with keyboard and mouse. What cannot be used is left: a person would go on too. */
export async function actOn({ element, use }: Control): Promise<void> {
  const timeout = bounds.ACT_MS
  const work = {
    click: () => element.click({ timeout, noWaitAfter: true }),
    async fill() {
      const { type, value, min } = await element.evaluate((one) => {
        const { type = 'text', value = '', min = '' } = one as HTMLInputElement
        return { type, value, min }
      })
      if (value !== '') return
      await element.fill(type === 'number' ? min || '1' : (texts[type] ?? TEXT), { timeout })
    },
    async choose() {
      const count = await element.evaluate((one) => (one as HTMLSelectElement).options.length)
      await element.selectOption({ index: count - 1 }, { timeout })
    },
  }
  await work[use]().catch(() => undefined)
}
