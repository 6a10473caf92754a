import { built } from './row.ts'

/** Bytes that the host keeps, and bytes that it sends. */
export const kept = [
  ...built('0060-bytes-kept-and-served', {
    'served.stalled':
      'Who takes nothing of a file for READER_STALLED_MS is cut off, signed in or not, and holds less than 1 MiB until then; who reads slowly is not cut.',
    'served.conditional':
      'Bundle files and uploads carry a strong ETag, and are answered with 304 to who has them.',
    'served.ranges':
      'One range of a bundle file or upload can be asked for; several are answered with the whole, one outside it with 416.',
  }),
  ...built('0115-long-work-in-another-thread', {
    'pause.body':
      'A JSON body with more lists, objects or names than are parsed in a moment is refused before it is parsed.',
    'pause.loop': 'No body of lists, objects or names and no large SVG keeps other callers waiting for long.',
    'pause.apart':
      'A JSON body over BODY_APART_BYTES is parsed in another thread: it means the same there, and takes effect in its turn.',
    'pause.turn':
      'The largest JSON body of each kind, a stored value, a file, a history and a list that is read, the largest answer of a tool, the parts of an image and a push of an app keep other callers waiting for about 20 ms at most.',
    'pause.replays':
      'Of event streams that are read again at once each has a turn of the event loop of its own.',
  }),
  ...built('0114-what-apps-may-keep', {
    'kept.drafts':
      'A draft that was replaced goes at once where no window may show it, and with the next one where none says that it does.',
    'kept.owner':
      'The apps of a user, the releases of an app, and the bytes of all drafts and releases of a user are capped.',
    'kept.one_push': 'Of one user one push is read at a time.',
    'kept.remove.app':
      'Its owner deletes an app: from everybody who installed it, with its draft, its releases and their files.',
    'kept.remove.release': 'Its owner deletes a release that nobody has installed or open.',
    'kept.payload': 'The payload of a window goes when the window is closed.',
    'kept.gone':
      'A file that went counts until its bytes have gone, and those of an app that is uninstalled go at once.',
  }),
  ...built('0125-nothing-grows-for-ever', {
    'kept.year':
      'Over a year of use a host keeps no more than after the first months, but for a row and a number for each new user.',
    'kept.plugs':
      'Of the removed plugins and ended drafts of a user the newest are kept, for a while; the versions of the plugins of a user are capped in bytes.',
    'kept.windows': 'Of the closed windows of a user the newest are kept.',
    'kept.messages': 'The messages of all sessions of a user are capped in bytes: the oldest go.',
    'kept.asked':
      'Of the requests for credentials of a user, and of the tools that a user allowed an app for good, the newest are kept.',
    'kept.installs': 'A user has so many apps installed.',
    'kept.events': 'The events of a user who never comes back go, whichever host wrote them.',
  }),
  ...built('0073-room-of-storage', {
    'kept.storage':
      'Keys and bytes that an app keeps in a scope, and a user over all apps, are capped; a write past it is quota_exceeded with the limit, the size and a hint, and changes nothing.',
  }),
  ...built('0010-storage', {
    'kept.storage.removed':
      'A key that was removed or ran out leaves no record; no etag or generation of it is given again, whatever meets.',
  }),
  ...built('0073-room-of-storage', {
    'kept.storage.large': 'A list whose metadata is large ends early, with a cursor.',
    'kept.storage.list':
      'A list looks at a bounded number of values in a call, and leaves others their turn meanwhile.',
  }),
  ...built('0114-what-apps-may-keep', {
    'kept.storage.shared': 'What users share in an app goes with the app.',
    'kept.sweeps': 'A sweep drops all that is due, in slices that leave others their turn.',
  }),
] as const
