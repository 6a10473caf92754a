import { type KeyboardEvent, useState } from 'react'
import { useApps, useDesk, useDeskState } from '../components/use-desk.ts'
import { type Command, commandsOf, findCommands } from './commands.ts'
import { KeysDialog } from './dialog.tsx'
import styles from './keys.module.css'

const LABEL = 'Find an app, a window or a command'
const idOf = ({ id }: Command) => `command-${id}`

/** How far each key goes in the list. */
const steps: ReadonlyMap<string, number> = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
])

/** A field and the commands whose names hold what is typed: arrow keys choose one, Enter does it. */
export function Palette() {
  const desk = useDesk()
  const state = useDeskState((whole) => whole)
  const apps = useApps()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = findCommands(commandsOf(state, apps), text)
  const chosen = found[at]

  const run = (command: Command | undefined) => {
    if (!command) return
    desk.showDialog(null)
    command.act(desk)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps.get(event.key)
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      const next = (at + step + found.length) % found.length
      setAt(next)
      const command = found[next]
      if (command) document.getElementById(idOf(command))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(chosen)
    }
  }
  return (
    <KeysDialog label={LABEL}>
      <input
        aria-activedescendant={chosen && idOf(chosen)}
        aria-controls="commands"
        aria-expanded={found.length > 0}
        aria-label={LABEL}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type into it
        autoFocus
        className={styles.field}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        placeholder={LABEL}
        role="combobox"
        spellCheck={false}
        value={text}
      />
      {found.length === 0 && (
        <p className={styles.none} role="status">
          Nothing has this name.
        </p>
      )}
      <div aria-label="Commands" className={styles.list} id="commands" role="listbox">
        {found.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard
          <div
            aria-selected={command === chosen}
            className={styles.command}
            id={idOf(command)}
            key={command.id}
            onClick={() => run(command)}
            role="option"
            tabIndex={-1}
          >
            <span>{command.label}</span>
            {command.keys !== undefined && <kbd className={styles.key}>{command.keys}</kbd>}
          </div>
        ))}
      </div>
    </KeysDialog>
  )
}
