import { stub } from './stubs.ts'

/** `mobile.*`: what only a shell on a phone can do; a host without one offers none of it. */
export const mobile = {
  share: stub('Hands something to the share sheet of a phone; offered in the mobile shell alone.'),
  vibrate: stub('Vibrates a phone; offered in the mobile shell alone.'),
  scan_code: stub('Reads a code with the camera of a phone; offered in the mobile shell alone.'),
}
