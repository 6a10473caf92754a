import { JOURNAL_KEPT_EVENTS } from '@svc/contract/browser'

/** Cursors of the events that were told, no more than a journal can tell again. */
export function createHeard(): Pick<Set<string>, 'has' | 'clear'> & { add(id: string): void } {
  const heard = new Set<string>()
  return {
    has: (id) => heard.has(id),
    clear: () => heard.clear(),
    add(id) {
      heard.add(id)
      const [oldest = ''] = heard
      if (heard.size > JOURNAL_KEPT_EVENTS) heard.delete(oldest)
    },
  }
}
