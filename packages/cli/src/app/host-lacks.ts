import type { ManifestInput } from '@svc/contract'
import type { HostClient } from '../host/client.ts'
import type { Finding } from './lint.ts'

/** Asks a host what an app would miss there. Errors: `host`, `unreachable`. */
export async function hostLacks(host: HostClient, manifest: unknown): Promise<Finding[]> {
  const { lacks } = await host.ask('POST /api/v1/svc-apps/lint', {
    // What the manifest holds is judged there.
    body: { manifest: manifest as ManifestInput },
  })
  return lacks.map(({ where, problem, hint, required }) => ({
    level: 'hint',
    where: `manifest.json ${where}`,
    problem: required ? `${problem}, so a release is refused` : problem,
    hint,
  }))
}
