import type { SvcWindowTrouble } from './svc-window-element.ts'

const words: Record<SvcWindowTrouble, string> = {
  failed: 'This app could not be loaded. ',
  ended: 'This app has stopped. ',
  silent: 'This app does not respond. ',
}

/** Makes what an element says over its window while that shows no app, and the buttons that lead on. */
export function createNotice(trouble: SvcWindowTrouble, reload: () => void, close: () => void): HTMLElement {
  const notice = document.createElement('div')
  notice.role = 'alert'
  notice.style.cssText =
    'position:absolute;inset:auto 0 0;padding:8px;background:Canvas;color:CanvasText;font:14px system-ui'
  const button = (label: string, press: () => void) => {
    const made = document.createElement('button')
    made.type = 'button'
    made.textContent = label
    made.onclick = press
    return made
  }
  notice.append(words[trouble], button('Reload', reload), ' ', button('Close', close))
  return notice
}
