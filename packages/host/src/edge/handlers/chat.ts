import { type Handlers, wrongArg } from '@svc/contract'
import type { CallContext } from './context.ts'

/** Handlers of `chat.*`: a card is an event and nothing else. */
export const chat: Handlers<'chat', CallContext> = {
  async append_artifact({ artifact }, { services, userId, window, bodyBytes }) {
    const max = services.limits.ARTIFACT_MAX_BYTES
    if (bodyBytes > max) {
      const size = Buffer.byteLength(JSON.stringify(artifact))
      if (size > max) throw wrongArg('artifact', `must have at most ${max} bytes of JSON, got ${size}`)
    }
    const artifact_id = services.newId('artifact')
    services.events.emit(userId, 'chat_artifact', window.id, { artifact_id, artifact })
    await services.events.told(userId)
    return { artifact_id }
  },
}
