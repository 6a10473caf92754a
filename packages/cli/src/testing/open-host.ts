import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import { createHost, type Host } from '@svc/host'

/** Opens a host of the harness in this process, for commands that tests run against it. It starts no plugins itself. */
export async function openHost(): Promise<{ readonly host: Host; readonly url: string }> {
  const host = createHost({ harness: true, runner: null, startToken: TEST_START_TOKEN })
  const { url } = await host.listen(0)
  return { host, url }
}
