import { refuse } from '@svc/contract'
import type { VersionRow } from '../catalog/records.ts'
import { fileOf } from '../catalog/records.ts'
import { hasPort, isOriginPattern, labelOf, originOf } from '../kernel/request/bundle-origin.ts'
import { paths } from '../kernel/request/paths.ts'
import type { MachineServices } from '../machines/services.ts'

/** The folder that the files of a digest are served from, where `base` is what the host's paths begin with. */
export const bundleFolder = (base: string, digest: string): string => `${base}${paths.bundles}${digest}/`

/** The name of a window's ticket in the query of its entry URL. */
const TICKET_QUERY = 'window'

/**
 * The URL of a version's entry file for one window; `null` while the file is not there. It carries the window's ticket
 * (docs/decisions/0108-tickets-of-documents.md), without which the host serves no document:
 *
 * - `…/bundles/<digest>/index.html?window=<ticket>`; what the page names relative to itself comes from the folder
 *   `…/bundles/<digest>/`, which all windows of all users share;
 * - `…/bundles/<digest>~<ticket>/index.html` where the manifest says `multi_page`, so that links to its other pages
 *   keep the ticket.
 *
 * It begins with the origin of the app where `bundleOrigin` names one; else it is a path, before which the routes for
 * pages put the origin that the page's browser reaches (`Guard.entryUrl`).
 */
export function entryUrl(
  { settings, tickets }: Pick<MachineServices, 'settings' | 'tickets'>,
  version: VersionRow,
  windowUuid: string,
): string | null {
  const { entry, multi_page = false } = version.manifest.ui.bundle
  if (!fileOf(version.files, entry)) return null
  const { digest, app_id } = version
  const path = entry.split('/').map(encodeURIComponent).join('/')
  const ticket = tickets.mint(windowUuid, digest)
  const base = fixedOrigin(settings.bundleOrigin, app_id) + settings.basePath
  if (multi_page) return bundleFolder(base, `${digest}~${ticket}`) + path
  return `${bundleFolder(base, digest)}${path}?${TICKET_QUERY}=${ticket}`
}

/** What the address of a bundle's file says. */
export interface BundleAddress {
  readonly digest: string
  /** The file's path within the bundle. */
  readonly name: string
  /** The ticket of a window; `null`: none. */
  readonly ticket: string | null
  /** Whether the ticket is part of the path, as that of a bundle of several pages is. */
  readonly ticketInPath: boolean
}

/** Reads the address of a file as `entryUrl` writes it, from its path behind `…/bundles/` and the query. */
export function readBundleAddress(rest: string, query: URLSearchParams): BundleAddress {
  const [folder = '', ...names] = rest.split('/')
  const [digest = '', inPath] = folder.split('~')
  return {
    digest,
    name: names.join('/'),
    ticket: inPath ?? query.get(TICKET_QUERY),
    ticketInPath: inPath !== undefined,
  }
}

/** The origin of an app's bundles where it is the same for every page, else `''`. */
function fixedOrigin(bundleOrigin: string | null, appId: string): string {
  if (bundleOrigin === null || hasPort(bundleOrigin)) return ''
  return isOriginPattern(bundleOrigin) ? originOf(bundleOrigin, labelOf(appId)) : bundleOrigin
}

/** The refusal of a version without its entry file. */
export const notReady = (entry: string) =>
  refuse('bundle_not_ready', `the entry file ${JSON.stringify(entry)} has not been pushed yet`)
