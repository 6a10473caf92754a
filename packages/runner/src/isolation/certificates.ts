import { readFileSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'

/** Variables by which programs find the certificates of a company: files. */
const FILES = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'PIP_CERT',
  'GIT_SSL_CAINFO',
  'AWS_CA_BUNDLE',
  'CARGO_HTTP_CAINFO',
  'DENO_CERT',
  'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
  'HTTPLIB2_CA_CERTS',
  'NIX_SSL_CERT_FILE',
]
/** Folders, of which there may be several with a colon in between. */
const FOLDERS = ['SSL_CERT_DIR']
/** Whether those of the system are taken. */
const SWITCHES = ['NODE_USE_SYSTEM_CA', 'DENO_TLS_CA_STORE', 'UV_NATIVE_TLS', 'UV_SYSTEM_CERTS']

/** Larger ones are no certificates. */
const FILE_MAX_BYTES = 4_194_304
/** Certificates are public; what holds a key beside them is not for a plugin. */
const KEY = 'PRIVATE KEY'

/** What the owner of a machine says of its certificates. */
export interface Certificates {
  /** The variables that name them. */
  readonly env: Readonly<Record<string, string>>
  /** The files and folders that they name. */
  readonly readable: readonly string[]
}

/** Finds the certificates that the environment of a machine names: those that are there, and have no key in them. */
export function certificatesOf(outer: NodeJS.ProcessEnv): Certificates {
  const known = new Map<string, boolean>()
  const isGood = (path: string, kind: 'file' | 'folder') => {
    const good = known.get(path) ?? (isAbsolute(path) && (kind === 'file' ? isFile(path) : isFolder(path)))
    known.set(path, good)
    return good
  }
  const found = [
    ...FILES.map((name) => ({ name, paths: [outer[name] ?? ''], kind: 'file' as const })),
    ...FOLDERS.map((name) => ({ name, paths: (outer[name] ?? '').split(':'), kind: 'folder' as const })),
  ].flatMap(({ name, paths, kind }) => {
    const good = paths.filter((path) => isGood(path, kind))
    return good.length === 0 ? [] : [{ name, paths: good }]
  })
  const switches = SWITCHES.flatMap((name) =>
    outer[name] === undefined ? [] : [[name, outer[name]] as const],
  )
  return {
    env: Object.fromEntries([
      ...switches,
      ...found.map(({ name, paths }) => [name, paths.join(':')] as const),
    ]),
    readable: [...new Set(found.flatMap(({ paths }) => paths))],
  }
}

function isFile(path: string): boolean {
  try {
    const found = statSync(path)
    return found.isFile() && found.size <= FILE_MAX_BYTES && !readFileSync(path, 'latin1').includes(KEY)
  } catch {
    return false
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
