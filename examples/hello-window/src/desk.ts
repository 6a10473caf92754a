import { type Hello, svc } from '@svc/sdk'
import { byId } from './by-id.ts'
import { createCallLog } from './call-log.ts'

/** The first view: what the host said, and a form for each thing a window can do. */
export function showDesk(hello: Hello): void {
  const log = createCallLog(byId('calls'))
  showAnswer(hello)
  log.run('window.hello', () => svc.window.hello())

  svc.on('title_changed', ({ title }) => log.event('title_changed', { title }))
  svc.on('geometry_changed', ({ geometry }) => log.event('geometry_changed', geometry))
  svc.on('window_focus_changed', ({ geometry }) => log.event('window_focus_changed', geometry))

  const input = (id: string) => byId(id, HTMLInputElement)
  onPress('set-title', () => {
    const title = input('title').value
    return log.run('window.set_title', () => svc.window.set_title({ title }))
  })
  onPress('resize', async () => {
    const asked = { w: input('width').valueAsNumber, h: input('height').valueAsNumber }
    const size = await log.run('window.resize', () => svc.window.resize(asked))
    byId('size-answer').textContent = size ? sayResized(asked, size) : ''
  })
  onPress('send', () => {
    const payload = { message: input('message').value, sent_at: new Date().toISOString() }
    return log.run('window.open_view', () => svc.window.open_view({ view: 'postcard', payload }))
  })
  onPress('close', () => {
    const reason = input('reason').value
    return log.run('window.close', () => svc.window.close({ reason }))
  })
  onPress('focus', () => log.run('window.focus', () => svc.window.focus()))
  onPress('report', () => {
    const error = { message: 'Nothing is broken: this is a test', context: { button: 'report' } }
    return log.run('window.report_error', () => svc.window.report_error(error))
  })
  onPress('refused', () => log.run('storage.list', () => svc.storage.list()))
}

function showAnswer({ app_id, version_id, view_meta, geometry, capabilities }: Hello): void {
  const rows: [string, string][] = [
    ['App', app_id],
    ['Version', version_id],
    ['View', view_meta.name],
    ['Size', `${geometry.w} × ${geometry.h}`],
    ['Smallest', `${view_meta.min_w} × ${view_meta.min_h}`],
    ['Largest', `${view_meta.max_w} × ${view_meta.max_h}`],
    ['Dispatcher', capabilities.dispatcher],
    ['Storage', capabilities.storage === 'persistent' ? 'one for all windows' : 'in each window'],
    ['Longest tool', `${capabilities.tool_timeout_ms / 1_000} s`],
  ]
  const isId = (value: string) => value === app_id || value === version_id
  byId('answer').append(
    ...rows.flatMap(([name, value]) => [make('dt', name), make('dd', value, isId(value) ? 'id' : '')]),
  )
  byId('methods').append(...capabilities.methods.map((name) => make('li', name)))
}

type Size = { readonly w: number; readonly h: number }

const sayResized = (asked: Size, size: Size) =>
  asked.w === size.w && asked.h === size.h
    ? `The window is ${size.w} × ${size.h} now.`
    : `Asked for ${asked.w} × ${asked.h}; this view allows ${size.w} × ${size.h}.`

/** A click, or Enter in a field beside the button. Forms are no help: a sandboxed document may not submit any. */
function onPress(id: string, act: () => unknown): void {
  const button = byId(id, HTMLButtonElement)
  button.onclick = act
  for (const field of button.parentElement?.querySelectorAll('input') ?? [])
    field.onkeydown = ({ key, isComposing }) => {
      if (key === 'Enter' && !isComposing) button.click()
    }
}

const make = (tag: string, textContent: string, className = '') =>
  Object.assign(document.createElement(tag), { textContent, className })
