/**
 * Keeps an app from the clipboard that may not write there (`may`): only Chromium asks the frame's `allow`.
 *
 * Says what to use instead of `alert`, `confirm` and `prompt`, which would hold up the page around an app: browsers refuse
 * them without a word. `print` is there where the app may print (`may`), and for a press of the user alone, because it
 * holds up the page as well. `gone`, `wrap` and `may` are those of the prelude.
 */
export const dialogs = `((gone, wrap, may) => {
  const instead = (what, use) => console.error('svc: ' + what + ' does nothing in a window: ' + use)
  const has = (word) => may.split(' ').includes(word)
  const answers = { alert: undefined, confirm: false, prompt: null }
  for (const name of ['alert', 'confirm', 'prompt'])
    gone(globalThis, name, () => {
      instead(name + '()', 'show a <dialog> of your own')
      return answers[name]
    })
  wrap(globalThis, 'print', (call, args) => {
    if (!has('print')) instead('print()', 'add "print" to ui.browser in the manifest')
    else if (navigator.userActivation?.isActive === false) instead('print()', 'call it when the user has pressed something')
    else call(args)
  })
  if (!has('clipboard-write')) for (const name of ['write', 'writeText'])
    wrap(globalThis.Clipboard?.prototype, name, async () => {
      throw new DOMException('an app in a window writes to the clipboard when "clipboard-write" is in ui.browser of its manifest', 'NotAllowedError')
    })
})(gone, wrap, may)`
