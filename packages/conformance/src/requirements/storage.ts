import { built } from './row.ts'

/** `storage.*`. */
export const storage = [
  ...built('docs/reference/methods.md', {
    'storage.item.fields': 'A listed item has key, etag, size_bytes, metadata, tags and updated_at.',
  }),
  ...built('0010-storage', {
    'storage.item.window_state': 'In the window state metadata, tags and updated_at of an item are null.',
    'storage.etag.weak': 'In the window state an etag is weak and made from the value.',
    'storage.backend.window_state': 'The harness keeps values in the state of the window.',
    'storage.backend.persistent': 'In production values are kept for the app, in the scope app.',
    'storage.get.result': 'get answers the value, and the etag, generation and exists that go with it.',
    'storage.set.result.window_state':
      'set in the window state answers {ok: true}, and beside it what the persistent store answers.',
    'storage.set.result.persistent': 'set in the persistent store answers etag, generation and size_bytes.',
    'storage.etag.both':
      'In both backends set answers the etag that get and list show, if_match holds a write against it, and the generation of a key grows with each write, also over a delete.',
  }),
  ...built('docs/reference/methods.md', {
    'storage.set.optional': 'set takes if_match, metadata, tags and ttl_seconds.',
    'storage.delete.result.window_state':
      'delete in the window state answers {ok: true}, and beside it {deleted: true}.',
    'storage.delete.result.persistent': 'delete in the persistent store answers {deleted: true}.',
    'storage.list.result': 'list answers items and next_cursor.',
  }),
  ...built('0010-storage', {
    'storage.list.prefix': 'list keeps to the keys that begin with prefix.',
  }),
  ...built('docs/reference/methods.md', {
    'storage.list.cursor': 'list goes on behind cursor, so that each key comes once.',
  }),
  ...built('0073-room-of-storage', {
    'storage.list.stable':
      'While others write, a listing gives each key that stands throughout once, and in order.',
  }),
  ...built('docs/reference/methods.md', {
    'storage.list.limit.default': 'list gives 100 items where no limit is asked for.',
  }),
  ...built('0010-storage', {
    'storage.set.if_match': 'set with an if_match that does not fit is precondition_failed.',
    'storage.set.history': 'Of many clients that write with if_match no update is lost.',
    'storage.delete.if_match': 'delete with an if_match that does not fit is precondition_failed.',
  }),
  ...built('docs/reference/manifest.md', {
    'storage.access.names': 'Entries of ui.host_api.storage are get, set, delete, list and *.',
  }),
] as const
