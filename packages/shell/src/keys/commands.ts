import { focusGrip } from '../components/grip.ts'
import type { Desk } from '../desk/desk.ts'
import { frontOf } from '../geometry/z-order.ts'
import { panels } from '../panels/panels.tsx'
import type { App, DeskState } from '../state/state.ts'
import { focusArea } from './areas.ts'

/** Something that can be found by its name and done. */
export interface Command {
  readonly id: string
  readonly label: string
  /** The shortcut that does the same. */
  readonly keys?: string
  act(desk: Desk): void
}

/** Everything that can be done now: go to a window, open a view of an app, use the page. */
export function commandsOf(state: DeskState, apps: readonly App[]): Command[] {
  return [...ofWindows(state), ...apps.flatMap(ofApp), ...ofFront(state), ...ofPage]
}

/** The commands whose name holds every word of the text, in any case. */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/)
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}

const ofWindows = ({ windows }: DeskState): Command[] =>
  windows.map(({ key, title }) => ({
    id: `window-${key}`,
    label: `Go to ${title}`,
    act(desk) {
      desk.change(() => ({ isOpen: false }))
      desk.raise(key)
      focusGrip(key)
    },
  }))

function ofApp({ app_id, name, views }: App): Command[] {
  const first = views.find((view) => view.default) ?? views[0]
  return views.map((view) => ({
    id: `view-${app_id}-${view.name}`,
    label: view === first ? `Open ${name}` : `Open ${view.title ?? view.name} of ${name}`,
    act(desk) {
      desk.change(() => ({ isOpen: false }))
      focusGrip(desk.open(app_id, view === first ? undefined : view.name))
    },
  }))
}

/** What can be done with the window in front. */
function ofFront({ windows, small, manage }: DeskState): Command[] {
  const front = frontOf(windows)
  if (!front || manage.isOpen) return []
  const { key, title, maximised } = front
  const close: Command = {
    id: 'close',
    label: `Close ${title}`,
    keys: 'Alt + W',
    act: (desk) => desk.close(key),
  }
  if (small) return [close]
  return [
    {
      id: 'maximise',
      label: `${maximised ? 'Restore' : 'Maximise'} ${title}`,
      keys: 'Alt + M',
      act: (desk) => desk.toggleMaximised(key),
    },
    { id: 'minimise', label: `Minimise ${title}`, keys: 'Alt + N', act: (desk) => desk.minimise(key) },
    close,
  ]
}

const ofPage: readonly Command[] = [
  {
    id: 'manage',
    label: 'Manage plugins, runners and apps',
    act: (desk) => desk.change(() => ({ isOpen: true })),
  },
  ...panels.map(({ id, label }) => ({
    id: `panel-${id}`,
    label: `Show ${label.toLowerCase()}`,
    act(desk: Desk) {
      desk.setPanel(id)
      focusArea('panel')
    },
  })),
  { id: 'name', label: 'Change name', act: (desk) => desk.changeName() },
  { id: 'sign-out', label: 'Sign out', act: (desk) => void desk.signOut() },
  { id: 'keys', label: 'Keyboard shortcuts', keys: '?', act: (desk) => desk.showDialog('keys') },
]
