import { built } from './row.ts'

/** What every app should survive, as `svc app check` tries it. */
export const appCheck = built('0137-checks-of-apps', {
  'app.start':
    'An app connects, shows something, and works without an error that nothing caught, on the console or of its policy.',
  'app.reload':
    'An app whose document is loaded anew in the middle of a call starts again, and leaves nothing.',
  'app.denied': 'An app to which nothing is granted shows something and reacts.',
  'app.errors': 'An app whose calls fail shows something and reacts.',
  'app.host_gone': 'An app makes calls again when its host, which was gone, is back.',
  'app.slow': 'An app shows something before its first call is answered, and never hangs.',
  'app.close': 'A window that is closed in the middle of a call leaves nothing; one that stays says why.',
  'app.narrow': 'Nothing of an app is cut off at 320 pixels, nor with text of 200 %.',
  'app.dark': 'The text of an app has the contrast of WCAG AA in a light and in a dark page.',
  'app.keyboard':
    'Tab reaches each control of an app and leaves it, its focus is seen, and screen readers get names.',
  'app.report': 'svc app check reports by requirement, and ends with 1 where one does not hold.',
})
