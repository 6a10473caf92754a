import { byId } from './by-id.ts'

/** How near the end still counts as being there. */
const NEAR_PX = 40

/** What was said, on the page. */
export interface Turns {
  add(...elements: readonly HTMLElement[]): void
  clear(): void
}

/** Opens the list of turns: what comes scrolls into view, unless the user has scrolled away from the end. */
export function openTurns(): Turns {
  const [log, list, welcome] = [byId('log'), byId('turns'), byId('welcome')]
  // What scrolls can be reached by the keyboard; not every browser sees to that by itself.
  log.tabIndex = 0
  let isAtEnd = true
  const follow = () => {
    if (isAtEnd) log.scrollTo({ top: log.scrollHeight, behavior: 'instant' })
  }
  log.onscroll = () => {
    isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_PX
  }
  new MutationObserver(follow).observe(list, { childList: true, subtree: true, characterData: true })
  new ResizeObserver(follow).observe(log)

  return {
    add(...elements) {
      welcome.hidden = true
      isAtEnd = true
      list.append(...elements)
    },
    clear() {
      list.replaceChildren()
      welcome.hidden = false
    },
  }
}
