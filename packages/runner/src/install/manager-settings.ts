import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { certificatesOf } from '../isolation/certificates.ts'
import { type MachineProxy, machineProxy } from '../isolation/machine-proxy.ts'

/** What one package manager is configured with on a machine. */
export interface ManagerSettings {
  /** Variables of the runner's own environment that it sees beside those of every plugin. */
  readonly passed: readonly string[]
  /** The same by their form, for names that have a host or an index in them. */
  readonly passedLike?: RegExp
  /** Whether its files of settings take variables from the environment, as `${NPM_TOKEN}`. */
  readonly expands?: true
  /** Variables whose value is a file of settings or certificates, and where that is if they are not set: `~` is the home. */
  readonly files: Readonly<Record<string, readonly string[]>>
  /** Where its index and the files of that are, whatever the machine says: host names. */
  readonly indexes: readonly string[]
}

/** Settings as they are on this machine now. */
export interface FoundSettings extends MachineProxy {
  /** The variables that it sees. */
  readonly env: Readonly<Record<string, string>>
  /** Files that it reads, and those that they name, such as certificates. */
  readonly readable: readonly string[]
  /** Hosts with their ports that it may go to, as `host:port`: its index, and what its settings name by a URL. */
  readonly hosts: ReadonlySet<string>
}

/** Larger ones are no settings. */
const SETTINGS_MAX_BYTES = 1_048_576
const COMMENT = /^[ \t]*[#;].*$/gm
/** A byte order mark, read as Latin-1; behind it the first line would not begin. */
const BOM = /^\u00ef\u00bb\u00bf/
const URLS = /\bhttps?:\/\/[^\s'"<>,]+/gi
/** With all of its line, whose end may be a comment, or with the next one, where pip takes a value too. */
const PROXY =
  /^[ \t]*-{0,2}["']?(?:https?[-_])?proxy["']?[ \t]*[=:][ \t]*(?:\r?\n[ \t]+)?["']?([^\s"'#]+).*/gim
const FILES =
  /^[ \t]*(?:cafile|certfile|keyfile|cert|client-cert)[ \t]*=[ \t]*["']?([/~](?:[^"'\n]*[^"'\s])?)["']?[ \t\r]*$/gim
/** What it has of its own, and what is the host's. */
const OWN = /^(HOME|PATH|TMPDIR|SVC_.*)$/
/** A variable that a file of settings takes from the environment. */
const NAMED = /\$\{(\w+)\??\}/g

/** Reads what a machine says to a package manager. A file that is not there, or cannot be read, says nothing. */
export function findSettings(
  { passed: always, passedLike, expands, files, indexes }: ManagerSettings,
  more: readonly string[] = [],
  outer: NodeJS.ProcessEnv = process.env,
): FoundSettings {
  const home = outer.HOME ?? homedir()
  const passed = [...always, ...Object.keys(outer).filter((name) => passedLike?.test(name))]
  const certificates = certificatesOf(outer)
  const placed = (path: string) => (path.startsWith('~/') ? join(home, path.slice(2)) : path)
  const named = Object.entries(files).flatMap(([name, places]) => {
    // A variable that names no file, such as /dev/null, says that there shall be none.
    for (const file of (outer[name] ? [outer[name]] : places).map(placed)) {
      const text = textOf(file)
      if (text !== undefined) return [{ name, file, text }]
    }
    return []
  })
  const asked = expands
    ? named.flatMap(({ text }) => [...text.matchAll(NAMED)].map(([, name = '']) => name))
    : []
  const env = Object.fromEntries([
    ...Object.entries(certificates.env),
    ...[...passed, ...asked.filter((name) => !OWN.test(name))].flatMap((name) =>
      outer[name] === undefined ? [] : [[name, outer[name]] as const],
    ),
    ...named.map(({ name, file }) => [name, file] as const),
  ])
  const texts = named.map(({ text }) => text.replace(COMMENT, ''))
  const text = [
    ...passed.map((name) => env[name] ?? ''),
    ...texts.map((one) => one.replace(PROXY, '')),
    ...more,
  ]
  const found = <Part extends RegExp>(pattern: Part) =>
    texts.flatMap((one) => [...one.matchAll(pattern)].map(([, value = '']) => value))
  return {
    env,
    readable: [
      ...certificates.readable,
      ...named.map(({ file }) => file),
      ...found(FILES)
        .map(placed)
        .filter((file) => textOf(file) !== undefined),
    ],
    hosts: new Set([
      ...indexes.map((host) => `${host}:443`),
      ...text.flatMap((one) => one.match(URLS) ?? []).flatMap(hostOf),
    ]),
    ...machineProxy(outer, found(PROXY)),
  }
}

/** What a file says; nothing where it is none, is too large, or may not be looked at or read. */
function textOf(path: string): string | undefined {
  try {
    const found = statSync(path)
    return found.isFile() && found.size <= SETTINGS_MAX_BYTES
      ? readFileSync(path, 'latin1').replace(BOM, '')
      : undefined
  } catch {
    return undefined
  }
}

/** The host of a URL with its port; none where it is not one. */
function hostOf(text: string): readonly string[] {
  const url = URL.parse(text)
  if (!url) return []
  return [`${url.hostname}:${url.port || (url.protocol === 'http:' ? 80 : 443)}`]
}
