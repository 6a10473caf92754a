import { installId } from '../catalog/records.ts'
import type { WindowRecord } from '../windows/window-record.ts'
import type { BundleRow } from './bundles.ts'
import type { AppServices } from './services.ts'

/** Origins that a bundle may reach besides its own files: to fetch from, and to load images from. */
export interface Egress {
  readonly connect_src: readonly string[]
  readonly img_src: readonly string[]
}

const nothing: Egress = { connect_src: [], img_src: [] }

/** What the user of a window allowed its app to reach, of what the bundle's manifest names; nothing without a window. */
export async function egressOf(
  services: Pick<AppServices, 'copies'>,
  bundle: BundleRow,
  window: WindowRecord | null,
): Promise<Egress> {
  const install =
    window && (await services.copies.installs.get(installId(window.row.user_id, window.row.app_id)))
  if (!install) return nothing
  const { connect_src = [], img_src = [] } = install.row.grants
  return {
    connect_src: bundle.connect_src.filter((one) => connect_src.includes(one)),
    img_src: bundle.img_src.filter((one) => img_src.includes(one)),
  }
}
