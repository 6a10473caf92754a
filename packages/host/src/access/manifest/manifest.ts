import { type GrantName, type Grants, type Manifest, methodRow, methodRows } from '@svc/contract'

/** What the check of manifest and grants says of one `ns.method`. */
export type Verdict =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly deniedBy: 'manifest' | 'grant'; readonly hint: string }

/** The per-app grant that a namespace needs besides its declaration. */
export const grantOf: ReadonlyMap<string, GrantName> = new Map([
  ['image', 'image_grant'],
  ['upload', 'upload_grant'],
  ['web', 'web_grant'],
  ['credentials', 'credentials_grant'],
])

const admitted: Verdict = { admitted: true }
const byManifest = (hint: string): Verdict => ({ admitted: false, deniedBy: 'manifest', hint })

/** How each namespace that is not a plain list of method names is declared. */
const declarations: ReadonlyMap<string, (manifest: Manifest) => Verdict> = new Map([
  ['window', () => admitted],
  ['tools', tools],
  ['agent', agent],
])

function tools(manifest: Manifest): Verdict {
  const declares =
    manifest.required_plugs.length > 0 ||
    manifest.optional_plugs.length > 0 ||
    manifest.ui.host_api.tools !== undefined
  return declares ? admitted : byManifest('Declare the plugin under required_plugs or optional_plugs.')
}

function agent(manifest: Manifest): Verdict {
  const session = manifest.ui.host_api.agent?.session
  return session?.auto || session?.fixed
    ? admitted
    : byManifest('Enable a submode: ui.host_api.agent.session.auto or .fixed.')
}

function listed(manifest: Manifest, ns: string, method: string): Verdict {
  const entry = Object.hasOwn(manifest.ui.host_api, ns) ? manifest.ui.host_api[ns] : undefined
  const names: readonly string[] = Array.isArray(entry) ? entry : []
  const row = methodRow(ns, method)
  const name = row?.declaredBy ?? method
  if (names.includes(name) || names.includes('*')) return admitted
  return byManifest(
    row ? `Add ${JSON.stringify(name)} to ui.host_api.${ns} in the manifest.` : noSuchMethod(ns),
  )
}

/** A line in the manifest would not help a name that is no method. */
function noSuchMethod(ns: string): string {
  const known = methodRows().flatMap(([space, name]) => (space === ns ? [name] : []))
  return known.length > 0
    ? `There is no such method; ${ns} has ${known.join(', ')}.`
    : 'There is no such namespace; svc.window.hello() lists what this window may call.'
}

/** Whether the manifest declares `ns.method`: the first check. */
export function declares(manifest: Manifest, ns: string, method: string): Verdict {
  return declarations.get(ns)?.(manifest) ?? listed(manifest, ns, method)
}

/** Whether the user granted what `ns` needs besides: the second check. */
export function grants(granted: Grants, ns: string): Verdict {
  const name = grantOf.get(ns)
  if (name === undefined || granted[name] === true) return admitted
  return { admitted: false, deniedBy: 'grant', hint: `Install the app with ${name}: true.` }
}

/** Every `ns.method` that a window may call and that is offered: the scopes of its token, and what `hello` tells it. */
export function admittedMethods(manifest: Manifest, granted: Grants): string[] {
  return methodRows()
    .filter(
      ([ns, method, row]) =>
        !row.stub && declares(manifest, ns, method).admitted && grants(granted, ns).admitted,
    )
    .map(([ns, method]) => `${ns}.${method}`)
}
