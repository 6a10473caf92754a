import { bounds } from './bounds.ts'
import { named } from './complaints.ts'
import type { Stage } from './stage.ts'

/** Where the focus is after a Tab. */
interface Stop {
  /** The place of the control among all; -1: something else, `null`: outside of the app. */
  readonly at: number | null
  /** Whether the control before looks as it did with the focus. */
  readonly wasUnseen: boolean
}

/** What the document keeps between two steps. */
interface Kept {
  svcCheckControls?: readonly Element[]
  svcCheckFocused?: { readonly element: Element; readonly looks: string }
}

/** Lists the controls that a user sees, and says of each whether Tab should reach it. It runs in the document. */
function listControls() {
  const own = 'a[href], button, input, select, textarea, summary, [tabindex]'
  const roles = '[role=button], [role=link], [role=checkbox], [role=switch]'
  /** A box that is drawn by its label is one pixel large. */
  const isShown = (element: Element) =>
    [element, ...((element as HTMLInputElement).labels ?? [])].some((one) => {
      const { width, height } = one.getBoundingClientRect()
      const isVisible = one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      return isVisible && width > 1 && height > 1
    })
  const isFree = (element: Element) =>
    !(element as HTMLInputElement).disabled && !element.closest('[inert], [aria-disabled=true]')
  const isPressed = (element: Element) =>
    element.matches(roles) ||
    ((element as HTMLElement).onclick !== null &&
      !element.matches('label, body, form, dialog') &&
      !element.closest('a[href], button, label, summary') &&
      !element.querySelector(own))
  /** Arrow keys lead to what is in such a box. */
  const isByArrows = (element: Element) =>
    element.matches('[role=tab], [role=option], [role=menuitem], [role=treeitem], [role=gridcell]') ||
    element.parentElement?.closest(
      '[role=toolbar], [role=tablist], [role=listbox], [role=menu], [role=radiogroup], [role=grid], [role=tree]',
    ) != null
  const shown = [...document.body.querySelectorAll('*')].filter(
    (element) => isShown(element) && isFree(element),
  )
  const controls = shown.filter((element) => element.matches(own) || isPressed(element))
  ;(globalThis as Kept).svcCheckControls = controls
  return controls.map((element) => {
    const { tabIndex, type, name, checked, placeholder } = element as HTMLInputElement
    const label = element.getAttribute('aria-label') ?? element.textContent?.trim()
    const said = (label || placeholder || element.id).replace(/\s+/g, ' ').slice(0, 40)
    const isControl =
      element.matches('a[href], button, input, select, textarea, summary') || isPressed(element)
    return {
      said: `${element.localName} ${JSON.stringify(said)}`,
      isReachable: tabIndex >= 0,
      isWanted: isControl && (tabIndex >= 0 || !isByArrows(element)),
      // One radio of a group is reached by Tab, the others by arrows.
      group: type === 'radio' && name !== '' ? name : null,
      isChecked: checked === true,
      // Tab goes through the parts of a date and a time: seven at most, with the button of its calendar.
      stops: element.localName === 'input' && /^(date|datetime-local|month|time|week)$/.test(type) ? 7 : 2,
    }
  })
}

/** Says where the focus is now, and whether the control that had it before can be told from how it looks now. It runs in the document. */
function lookAtFocus(): Stop {
  const kept = globalThis as Kept
  for (const animation of document.getAnimations()) {
    const { iterations } = animation.effect?.getComputedTiming() ?? {}
    if (iterations !== Number.POSITIVE_INFINITY) animation.finish()
  }
  const props =
    'outlineStyle outlineWidth outlineColor boxShadow borderTopColor borderRightColor borderBottomColor borderLeftColor borderTopWidth borderBottomWidth backgroundColor backgroundImage color textDecorationLine transform opacity filter fontWeight'.split(
      ' ',
    )
  const looksOf = (element: Element) => {
    const { parentElement, previousElementSibling, nextElementSibling } = element
    const around = [
      element,
      parentElement,
      parentElement?.parentElement,
      previousElementSibling,
      nextElementSibling,
      ...((element as HTMLInputElement).labels ?? []),
    ].filter((one): one is Element => one instanceof Element && one !== document.body)
    const styles = [
      ...around.map((one) => getComputedStyle(one)),
      getComputedStyle(element, '::before'),
      getComputedStyle(element, '::after'),
    ]
    return styles.map((style) => props.map((prop) => style[prop as never]).join(' ')).join('\n')
  }
  const before = kept.svcCheckFocused
  const active = document.hasFocus() ? document.activeElement : null
  const isOther = before !== undefined && before.element !== active
  // A caret shows the focus of a text.
  const hasCaret = before?.element.matches(
    'textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range], [type=color], [type=file])',
  )
  const wasUnseen =
    isOther && !hasCaret && before.element.isConnected && looksOf(before.element) === before.looks
  if (active && active !== document.body) kept.svcCheckFocused = { element: active, looks: looksOf(active) }
  else delete kept.svcCheckFocused
  return { at: active ? (kept.svcCheckControls ?? []).indexOf(active) : null, wasUnseen }
}

/** What a walk by Tab has found. */
interface Walk {
  readonly problems: readonly string[]
  /** How many controls were reached. */
  readonly stops: number
  /** How many were not, because the walk ended before them. */
  readonly untried: number
}

/**
 * Goes through the controls of an app by Tab, as many as `bounds` has, and says which are not reached, and of which the
 * focus is not seen.
 */
export async function walkByTab({ frame, page }: Pick<Stage, 'frame' | 'page'>): Promise<Walk> {
  const controls = await frame.evaluate(listControls)
  const sayAt = (at: number) => controls[at]?.said ?? 'something'
  const reached = new Set<number>()
  const unseen = new Set<number>()
  const traps = new Set<number>()
  let last: number | null = null
  let same = 0
  let tab = 0
  let newAt = 0
  for (; tab < bounds.TABS; tab++) {
    await page.keyboard.press('Tab')
    const { at, wasUnseen } = await frame.evaluate(lookAtFocus)
    if (wasUnseen && last !== null) unseen.add(last)
    if (at === null && reached.size > 0) break
    same = at !== null && at >= 0 && at === last ? same + 1 : 0
    if (at !== null && same === controls[at]?.stops) {
      traps.add(at)
      break
    }
    if (at !== null && at >= 0 && at !== last && reached.has(at)) break
    if (at !== null && at >= 0 && !reached.has(at)) {
      reached.add(at)
      newAt = tab
    }
    last = at !== null && at >= 0 ? at : null
  }
  const groups = new Set([...reached].map((at) => controls[at]?.group).filter((group) => group !== null))
  const missed = controls.flatMap(({ isWanted, group }, at) =>
    isWanted && !reached.has(at) && !(group !== null && groups.has(group)) ? [at] : [],
  )
  // It reached one after the other until it ended: a focus that stays somewhere else is no such walk.
  const isCutShort = tab === bounds.TABS && last !== null && tab - newAt <= (controls[last]?.stops ?? 0)
  return {
    stops: reached.size,
    untried: isCutShort ? missed.length : 0,
    problems: [
      ...named([...traps].map(sayAt), 'Tab does not leave'),
      ...(isCutShort ? [] : named(missed.map(sayAt), 'Tab does not reach')),
      ...named([...unseen].map(sayAt), 'the focus is not seen on'),
    ],
  }
}
