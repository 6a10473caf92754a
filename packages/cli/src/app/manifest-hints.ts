import { type Manifest, methodRow, methodRows, nearest, type Plug } from '@svc/contract'
import type { Finding } from './lint.ts'

const inManifest = (place: string) => `manifest.json ${place}`

/** Namespaces of `ui.host_api` that do not list methods. */
const ownForm: ReadonlySet<string> = new Set(['agent', 'tools'])

/** Namespaces that no method can be declared for: the host answers them always, or never. */
const namespaces = new Set(methodRows().map(([ns]) => ns))

/** Asks for the name that was meant, where one is near. */
function meant(wrong: string, names: Iterable<string>): string {
  const name = nearest(wrong, names)
  return name === null ? '' : `Did you mean ${name}? `
}

/** Methods of `ui.host_api` that no host has. */
function methods({ ui }: Manifest): Finding[] {
  return Object.entries(ui.host_api).flatMap(([ns, list]): Finding[] => {
    const where = inManifest(`ui.host_api.${ns}`)
    if (!namespaces.has(ns))
      return [
        {
          level: 'error',
          where,
          problem: `there is no namespace ${ns}`,
          hint: `${meant(ns, namespaces)}There are ${[...namespaces].join(', ')}.`,
        },
      ]
    if (ns === 'window')
      return [{ level: 'hint', where, problem: 'window is always allowed', hint: 'Leave it out.' }]
    if (ownForm.has(ns) || !Array.isArray(list)) return []
    const known = methodRows().flatMap(([space, name]) => (space === ns ? [name] : []))
    return list
      .filter((name) => name !== '*' && !methodRow(ns, name))
      .map((name) => ({
        level: 'error',
        where,
        problem: `there is no method ${ns}.${name}`,
        hint: `${meant(name, known)}There are ${known.join(', ')}.`,
      }))
  })
}

/** The names by which an entry of `ui.host_api.tools` can mean a plug. */
function names(kind: 'required' | 'optional', plug: Plug): string[] {
  const ids = typeof plug === 'string' ? [plug] : [plug.tool_id, plug.handle].filter((id) => id !== undefined)
  return [`${kind}:*`, ...ids.flatMap((id) => [id, `${kind}:${id}`, `bundled:${id}`])]
}

const isMeant = (plugNames: readonly string[], entry: string) =>
  plugNames.some((name) => name === entry || (!name.includes(':') && entry.endsWith(`:${name}`)))

/** Plugs that are declared and not let through, and entries that let nothing through. */
function plugs({ ui, required_plugs, optional_plugs }: Manifest): Finding[] {
  const entries = ui.host_api.tools ?? []
  if (entries.length === 0) return []
  const declared = [
    ...required_plugs.map((plug, at) => ({ place: `required_plugs.${at}`, names: names('required', plug) })),
    ...optional_plugs.map((plug, at) => ({ place: `optional_plugs.${at}`, names: names('optional', plug) })),
  ]
  const where = inManifest('ui.host_api.tools')
  return [
    ...declared
      .filter((plug) => !entries.some((entry) => isMeant(plug.names, entry)))
      .map(
        (plug): Finding => ({
          level: 'hint',
          where: inManifest(plug.place),
          problem: 'no entry of ui.host_api.tools allows this plugin, so its tools cannot be called',
          hint: `Add ${JSON.stringify(plug.names[1])} to ui.host_api.tools, or leave that list out.`,
        }),
      ),
    ...entries
      .filter((entry) => !declared.some((plug) => isMeant(plug.names, entry)))
      .map(
        (entry): Finding => ({
          level: 'hint',
          where,
          problem: `${JSON.stringify(entry)} means no declared plugin`,
          hint: 'Declare it in required_plugs or optional_plugs, or remove the entry.',
        }),
      ),
  ]
}

/** Parts of a manifest that do nothing, or not what they seem to. */
function idle({ ui, permissions }: Manifest): Finding[] {
  const { agent } = ui.host_api
  const hosts = [...(ui.csp?.connect_src ?? []), ...(ui.csp?.img_src ?? [])]
  const found: (Finding | false)[] = [
    permissions !== undefined && {
      level: 'hint',
      where: inManifest('permissions'),
      problem: 'permissions allow nothing, and are refused at schema 3',
      hint: 'Declare methods under ui.host_api.',
    },
    ui.views.filter((view) => view.default).length > 1 && {
      level: 'hint',
      where: inManifest('ui.views'),
      problem: 'more than one view is the default; the first of them opens',
    },
    agent !== undefined &&
      !agent.session.auto &&
      agent.session.fixed === null && {
        level: 'hint',
        where: inManifest('ui.host_api.agent'),
        problem: 'no submode is enabled, so the agent is not granted',
        hint: 'Set session.auto to true, or session.fixed to {"client_ids": []}.',
      },
    ...hosts
      .filter((host) => !isPublicHost(host))
      .map(
        (host): Finding => ({
          level: 'hint',
          where: inManifest('ui.csp'),
          problem: `${host} is not a public host name`,
          hint: 'Name public hosts only.',
        }),
      ),
  ]
  return found.filter((one) => one !== false)
}

/** A name with a dot that is no address and of no private ending. */
function isPublicHost(origin: string): boolean {
  const { hostname } = new URL(origin)
  return (
    hostname.includes('.') &&
    !/^[\d.]+$/.test(hostname) &&
    !/\.(local|internal|localhost|test)$/.test(hostname)
  )
}

/** What the manifest asks for in vain, or allows without meaning to. */
export const manifestHints = (manifest: Manifest): Finding[] => [
  ...methods(manifest),
  ...plugs(manifest),
  ...idle(manifest),
]
