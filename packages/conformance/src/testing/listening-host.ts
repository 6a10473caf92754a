// A host that listens and ends: what it has loaded by then is what every host pays for.
import { createHost } from '@svc/host'

const host = createHost()
await host.listen(0)
await host.close()
