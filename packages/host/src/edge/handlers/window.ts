import { type Handlers, type limits as limitNames, refuse, type View, viewOf, wrongArg } from '@svc/contract'
import { window as states } from '@svc/contract/states'
import { admittedMethods, permitted } from '../../access/manifest.ts'
import { readState } from '../../data/storage/window-state.ts'
import { confirmFile, fileUrl, ownerOf } from '../../data/uploads/file.ts'
import { savedName } from '../../windows/saved-name.ts'
import { longestToolTimeout } from '../../work/tools/timeout.ts'
import type { CallContext } from './context.ts'

/** The dispatcher's version that `hello` names: clients tell by it what to expect. */
const DISPATCHER = '0.20.0'

/** The numbers that a client works with, as this host keeps them. */
const clientLimits = [
  'HEARTBEAT_INTERVAL_MS',
  'CLIENT_TOOLS_TIMEOUT_MS',
  'CLIENT_AGENT_TIMEOUT_MS',
  'CLIENT_TIMEOUT_MARGIN_MS',
  'IN_FLIGHT_PER_WINDOW',
  'SYNC_TIMEOUT_MIN_MS',
  'SYNC_TIMEOUT_MAX_MS',
  'SYNC_TIMEOUT_DEFAULT_MS',
  'SYNC_PAYLOAD_MAX_BYTES',
  'RPC_BODY_MAX_BYTES',
  'WINDOW_STATE_MAX_BYTES',
  'TITLE_MAX_CHARS',
] as const satisfies readonly (keyof typeof limitNames)[]

/** Handlers of `window.*`. */
export const window: Handlers<'window', CallContext> = {
  async hello(_args, { services, window: record, version, install, userId }) {
    const { row } = record
    const { digest } = version
    if (states.next(row.status, 'hello') !== row.status || row.digest !== digest)
      await services.windows.change(record.id, (now) => ({
        ...now,
        status: states.next(now.status, 'hello') ?? now.status,
        digest,
      }))
    return {
      window_uuid: record.id,
      app_id: row.app_id,
      version_id: row.version_id,
      view_meta: view(version.manifest, row.view),
      capabilities: {
        methods: admittedMethods(version.manifest, install.grants).filter(
          (name) => !services.missing.has(name),
        ),
        dispatcher: DISPATCHER,
        storage: services.settings.storage,
        limits: Object.fromEntries(clientLimits.map((name) => [name, services.limits[name]])),
        tool_timeout_ms: longestToolTimeout(
          await services.plugins.of({ userId, version, window: record }),
          version.manifest,
          services.limits,
        ),
      },
      entry_payload: row.payload ?? null,
      opened_by: row.opened_by ?? null,
      runtime_state:
        services.settings.storage === 'window-state' ? await readState(services.store, record.id) : null,
      geometry: row.geometry,
    }
  },

  ready: () => ({}),
  heartbeat: () => ({}),

  async set_title({ title }, context) {
    const { revision } = await change(context, (row) => ({ ...row, title }))
    const { services, userId, window: record } = context
    services.events.emit(userId, 'title_changed', record.id, { revision, title })
    await services.events.told(userId)
    return {}
  },

  async resize({ w, h }, context) {
    const { min_w, max_w, min_h, max_h } = view(context.version.manifest, context.window.row.view)
    const size = { w: clamp(Math.round(w), min_w, max_w), h: clamp(Math.round(h), min_h, max_h) }
    const { row, revision } = await change(context, (now) => ({
      ...now,
      geometry: { ...now.geometry, ...size },
    }))
    const { services, userId, window: record } = context
    services.events.emit(userId, 'geometry_changed', record.id, { revision, geometry: row.geometry })
    await services.events.told(userId)
    return size
  },

  async focus(_args, { services, userId, window: record }) {
    await services.windows.raise(userId, record.id)
    return {}
  },

  async close({ reason }, { services, userId, window: record }) {
    await services.windows.close(userId, record.id, reason ?? null)
    return {}
  },

  async open_view({ view: name, payload }, { services, window: record }) {
    const { window_uuid } = await services.windows.openView(record, name, payload)
    return { window_uuid }
  },

  // The page that carries the call does it.
  open_link: ({ url }) => ({ url: new URL(url).href }),

  // So is this: bytes never come here.
  async download({ name, file_ref }, context) {
    const { version, install } = context
    if (!permitted(version.manifest, install.grants).includes('download'))
      throw notPermitted(version.manifest)
    if (file_ref !== undefined) await confirmFile(context.services, ownerOf(context), file_ref)
    return { name: savedName(name), url: file_ref === undefined ? null : fileUrl(context, file_ref) }
  },

  async report_error({ message, stack, context }, call) {
    const fatal = context?.fatal === true
    const { services, userId, window: record, bodyBytes } = call
    checkErrorContext(context, bodyBytes, services.limits.ERROR_CONTEXT_MAX_BYTES)
    if (fatal)
      await change(call, (row) => ({ ...row, status: states.next(row.status, 'crash') ?? row.status }))
    services.errorLog.report(record, message, fatal)
    services.events.emit(userId, 'error_reported', record.id, {
      message,
      fatal,
      ...(stack !== undefined && { stack }),
      ...(context !== undefined && { context }),
    })
    await services.events.told(userId)
    return {}
  },
}

/** The refusal of a file that the app may not offer, with what would let it. */
function notPermitted({ ui }: CallContext['version']['manifest']) {
  const isDeclared = ui.browser?.includes('download')
  return refuse('permission_denied', 'this app may not save files', {
    denied_by: isDeclared ? 'grant' : 'manifest',
    hint: isDeclared
      ? 'Install the app with browser: ["download"].'
      : 'Add "download" to ui.browser in the manifest.',
  })
}

/** A smaller body cannot hold more. */
function checkErrorContext(context: unknown, bodyBytes: number, max: number): void {
  if (context === undefined || bodyBytes <= max) return
  const size = Buffer.byteLength(JSON.stringify(context))
  if (size > max) throw wrongArg('context', `must have at most ${max} bytes of JSON, got ${size}`)
}

async function change(
  { services, window: record }: CallContext,
  by: Parameters<typeof services.windows.change>[1],
) {
  const changed = await services.windows.change(record.id, by)
  if (!changed) throw refuse('not_found', 'this window is closed')
  return changed
}

/** The view of a window; a draft push may have taken it out of the manifest: then the default one. */
function view(manifest: CallContext['version']['manifest'], name: string): View {
  const found = viewOf(manifest, name) ?? viewOf(manifest)
  if (!found) throw refuse('not_found', 'the app of this window has no view any more')
  return found
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)
