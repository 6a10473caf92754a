import { tarOf } from '@svc/conformance/testing/archives'
import { testManifest } from '@svc/conformance/testing/host'
import { begin, callOf, send, type Target } from './target.ts'

const RPC = '/api/v1/svc-apps/runtime/rpc'
const API = '/api/v1/svc-apps'
const BODY_BYTES = 6_291_456
const MIB = 1_048_576
const HALF_SENT = 60
const STREAMS = 1_200
const READERS = 50
const HANGING = 16

/** An attack: what one of `sides` does, again and again. */
export interface Attack {
  readonly sides: number
  /** Resolves when it may be done again. */
  readonly once: (target: Target, count: number) => Promise<unknown>
}

/** Opens a connection, sends what it is given and reads nothing, until somebody closes it. */
const hold = (target: Target, path: string, method: string, part?: Buffer) =>
  new Promise<void>((resolve) => {
    const sized = part ? { length: BODY_BYTES } : {}
    const asking = begin(target, path, { method, caller: target.eve, ...sized })
    asking.on('error', () => resolve()).on('close', () => resolve())
    asking.on('response', (answer) => {
      answer.on('error', () => resolve())
      if (answer.statusCode === 200) answer.pause()
      else answer.resume()
    })
    if (part) asking.write(part)
    else asking.end()
  })

const rpc = (target: Target, ns: string, method: string, args: unknown) =>
  send(target, RPC, callOf(target.eve, ns, method, args), { caller: target.eve })

const lists = `[${'[],'.repeat(BODY_BYTES / 3 - 200)}[]]`
const half = Buffer.alloc(BODY_BYTES - 1, ' ')
const mib = 'x'.repeat(MIB)
const file = Buffer.alloc(3 * MIB, 'a').toString('base64')

/** Attachments are judged before the session is looked for. */
const NOBODYS_SESSION = `aps_${'0'.repeat(26)}`
const IMAGE_BYTES = 12 * MIB
/** Images that take long to judge: an SVG of tags that never end, and heads of many parts that say nothing. */
const images = [
  ['image/svg+xml', Buffer.alloc(IMAGE_BYTES, '<svg ')],
  [
    'image/gif',
    Buffer.concat([
      Buffer.from('GIF89a\x01\0\x01\0\0\0\0'),
      Buffer.alloc(IMAGE_BYTES, '!\xfe\x01x\0', 'latin1'),
    ]),
  ],
  [
    'image/jpeg',
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(IMAGE_BYTES, '\xff\xe0\0\x02', 'latin1')]),
  ],
].map(([type, bytes]) => ({ type, data: (bytes as Buffer).toString('base64') }))

/** Every large cost that one user, or nobody, could cause. */
export const attacks: Readonly<Record<string, Attack>> = {
  'readers of 20 MiB who read nothing': {
    sides: READERS,
    once: (target) => hold(target, target.file, 'GET'),
  },
  'pushes of a draft of 13 MiB': {
    sides: 4,
    once: (target, count) => {
      const manifest = { name: 'manifest.json', body: JSON.stringify(testManifest()) }
      const files = Array.from({ length: 13 }, (_, at) => ({
        name: `${at}.txt`,
        body: `${count} ${at} ${mib}`,
      }))
      const tar = tarOf(manifest, { name: 'index.html', body: '' }, ...files)
      const sent = { method: 'PUT', caller: target.eve, type: 'application/x-tar' }
      return send(target, `${API}/apps/${target.appId}/draft`, tar, sent)
    },
  },
  'bodies of 6 MiB of empty lists': {
    sides: 2,
    once: (target) => send(target, RPC, lists, { caller: target.eve }),
  },
  'storage.set of 1 MiB': {
    sides: 4,
    once: (target, count) => rpc(target, 'storage', 'set', { key: `k${count}`, value: mib }),
  },
  'storage.set and delete': {
    sides: 4,
    async once(target, count) {
      await rpc(target, 'storage', 'set', { key: `k${count}`, value: 1 })
      await rpc(target, 'storage', 'delete', { key: `k${count}` })
    },
  },
  'windows with 60 KB, opened and closed': {
    sides: 4,
    async once(target) {
      const body = JSON.stringify({ app_id: target.appId, payload: { text: 'x'.repeat(60_000) } })
      const { status, text } = await send(target, `${API}/windows`, body, { caller: target.eve })
      if (status !== 200 && status !== 201) return
      const { window_uuid } = JSON.parse(text) as { window_uuid: string }
      await send(target, `${API}/windows/${window_uuid}`, '', { method: 'DELETE', caller: target.eve })
    },
  },
  'half-sent bodies of 6 MiB': {
    sides: HALF_SENT,
    once: (target) => hold(target, RPC, 'POST', half),
  },
  'event streams': {
    sides: STREAMS,
    once: (target) => hold(target, `${API}/runtime/events`, 'GET'),
  },
  'tool calls that hang': {
    sides: HANGING,
    once: (target) => rpc(target, 'tools', 'invoke', { tool_id: 'bench', method: 'hang', args: {} }),
  },
  'hostile SVG and images of 12 MiB': {
    sides: 2,
    once: (target, count) =>
      rpc(target, 'agent', 'session.run', {
        app_session_uuid: NOBODYS_SESSION,
        content: 'Look.',
        attachments: [images[count % images.length]],
      }),
  },
  'apps and releases': {
    sides: 2,
    async once(target, count) {
      const post = (path: string, body: unknown) =>
        send(target, API + path, JSON.stringify(body), { caller: target.eve })
      await post('/apps', { slug: `app-${count}`, name: `App ${count}` })
      await post(`/apps/${target.appId}/releases`, { version: `2.0.${count}` })
    },
  },
  // The last one: it closes the window of the others.
  'install, upload, uninstall': {
    sides: 1,
    async once(target) {
      const { eve, appId: app_id } = target
      const post = async (path: string, body: unknown) => {
        const { text } = await send(target, API + path, JSON.stringify(body), { caller: eve })
        return text.startsWith('{') ? (JSON.parse(text) as Readonly<Record<string, string>>) : {}
      }
      const grants = { upload_grant: true }
      const { install_id } = await post('/installs', { app_id, version: '1.0.0', grants })
      const { window_uuid = '', token = '' } = await post('/windows', { app_id })
      const opened = { ...target, eve: { windowUuid: window_uuid, token, cookie: eve.cookie } }
      for (let at = 0; at < 4; at += 1)
        await rpc(opened, 'upload', 'inline', { bytes_b64: file, mime: 'text/csv', purpose: 'attack' })
      await send(target, `${API}/installs/${install_id}`, '', { method: 'DELETE', caller: eve })
    },
  },
}
