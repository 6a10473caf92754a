import { svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import { releaseProxy, wrapWorker } from '@svc/sdk/worker'
import { byId } from './by-id.ts'
import { type Answer, ROWS_MAX } from './database.ts'
import type { Lab } from './lab.worker.ts'
import { showTrouble } from './trouble.ts'

/** A question that SQLite never finishes. */
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n'

const open = () =>
  wrapWorker<Lab>(new Worker(new URL('./lab.worker.ts', import.meta.url), { type: 'module' }))
const sql = byId('sql', HTMLTextAreaElement)
const lab = { now: open() }

const say = (text: string) => {
  byId('state').textContent = text
}

function show({ columns, rows, isCut }: Answer): void {
  const line = (kind: 'th' | 'td', cells: readonly unknown[]) => {
    const row = document.createElement('tr')
    row.append(
      ...cells.map((cell) => {
        const made = document.createElement(kind)
        made.textContent = cell instanceof Uint8Array ? `${cell.length} bytes` : String(cell ?? '–')
        return made
      }),
    )
    return row
  }
  byId('head').replaceChildren(line('th', columns))
  byId('rows').replaceChildren(...rows.map((cells) => line('td', cells)))
  say(isCut ? `The first ${ROWS_MAX} rows` : `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`)
}

async function run(): Promise<void> {
  const asked = lab.now
  showTrouble(byId('trouble'), null)
  byId('stop').hidden = false
  byId('run', HTMLButtonElement).disabled = true
  say('SQLite is at work …')
  try {
    show(await asked.ask(sql.value))
  } catch (error) {
    // What was stopped has said so.
    if (asked !== lab.now) return
    say('')
    showTrouble(byId('trouble'), error)
  } finally {
    byId('stop').hidden = true
    byId('run', HTMLButtonElement).disabled = false
  }
}

byId('ask', HTMLFormElement).onsubmit = (event) => {
  event.preventDefault()
  void run()
}
byId('forever').onclick = () => {
  sql.value = ENDLESS
  void run()
}
// A worker at work hears nothing: it is ended, and another one begins.
byId('stop').onclick = () => {
  const stopped = lab.now
  lab.now = open()
  stopped[releaseProxy]()
  say('Stopped. A new SQLite is ready.')
}

followTheme(svc)
try {
  sql.value = await lab.now.lastQuestion()
  await run()
} catch (error) {
  say('')
  showTrouble(byId('trouble'), error)
}
void svc.window.ready()
