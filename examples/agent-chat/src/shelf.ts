import { type SessionEntry, svc } from '@svc/sdk'
import { byId } from './by-id.ts'
import { make } from './make.ts'

/** The list of chats: the sessions of this app and user, whichever window began them. */
export interface Shelf {
  /** Reads them anew and marks the one that is open. @throws HostRpcError */
  refresh(): Promise<void>
}

/** Opens the list. */
export function openShelf(actions: {
  readonly current: () => string | null
  readonly open: (session: string) => void
  readonly remove: (session: string) => void
}): Shelf {
  function entry({ app_session_uuid: id, label, created_at }: SessionEntry): HTMLElement {
    const name = label ?? 'Untitled chat'
    // A reload counts as use, so the last use would be the time of each reload.
    const time = new Date(created_at).toLocaleTimeString(document.documentElement.lang, {
      timeStyle: 'short',
    })
    const isCurrent = id === actions.current()
    return make(
      'li',
      {},
      make(
        'button',
        { type: 'button', className: 'entry', ariaCurrent: `${isCurrent}`, onclick: () => actions.open(id) },
        make('span', { className: 'entry-name' }, name),
        make('span', { className: 'soft' }, time),
      ),
      make(
        'button',
        {
          type: 'button',
          className: 'delete',
          ariaLabel: `Delete ${name}`,
          onclick: () => actions.remove(id),
        },
        '×',
      ),
    )
  }

  return {
    async refresh() {
      const { sessions } = await svc.agent.session.list()
      byId('chats').replaceChildren(...sessions.map(entry))
      byId('no-chats').hidden = sessions.length > 0
    },
  }
}
