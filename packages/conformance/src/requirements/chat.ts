import { built } from './row.ts'

/** `chat.*`. */
export const chat = [
  ...built('docs/reference/methods.md', {
    'chat.append_artifact': 'append_artifact answers an artifact_id.',
  }),
  ...built('0012-clamp-or-reject', {
    'chat.append_artifact.wrapper': 'A card counts only inside the object artifact.',
  }),
  ...built('docs/reference/methods.md', {
    'chat.append_artifact.kind': 'A card names its kind; kinds beyond the known ones are taken.',
    'chat.append_artifact.fields': 'A card may carry summary, data, payload_ref and app_slug.',
  }),
  ...built('0012-clamp-or-reject', {
    'chat.append_artifact.payload_dropped': 'A payload field of a card is dropped without a word.',
  }),
  ...built('docs/reference/methods.md', {
    'chat.append_artifact.realtime': 'A card is sent as an event and kept nowhere.',
    'chat.read_history.stub': 'read_history is not_implemented.',
    'chat.write_message.stub': 'write_message is not_implemented.',
  }),
] as const
