import { benchAttack } from './attack.ts'
import { benchCluster } from './cluster.ts'
import { benchClusterCosts } from './cluster-costs.ts'
import { benchClusterJobs } from './cluster-jobs.ts'
import { benchEvents } from './events.ts'
import { benchFrames } from './frames.ts'
import { benchGateway } from './gateway.ts'
import { benchHmr } from './hmr.ts'
import { benchInstall } from './install.ts'
import { benchJobs } from './jobs.ts'
import { benchPath } from './path.ts'
import { benchPort } from './port.ts'
import { benchRemote } from './remote.ts'
import { benchScale } from './scale.ts'
import { benchSizes } from './sizes.ts'
import { benchState } from './state.ts'
import { benchStdio } from './stdio.ts'
import { benchWalls } from './walls.ts'

/** All measurements one after another; `npm run bench -- gateway stdio` runs some. What begins with a dash is for one of them. */
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  sizes: benchSizes,
  gateway: benchGateway,
  events: benchEvents,
  frames: benchFrames,
  state: benchState,
  stdio: benchStdio,
  install: benchInstall,
  jobs: benchJobs,
  remote: benchRemote,
  port: benchPort,
  path: benchPath,
  hmr: benchHmr,
  walls: benchWalls,
  attack: benchAttack,
  cluster: benchCluster,
  'cluster-jobs': benchClusterJobs,
  'cluster-costs': benchClusterCosts,
  scale: benchScale,
}

const words = process.argv.slice(2)
const options = words.findIndex((word) => word.startsWith('-'))
const named = options === -1 ? words : words.slice(0, options)
const stranger = named.find((name) => !Object.hasOwn(benches, name))
if (stranger !== undefined) {
  console.error(`svc: there is no measurement ${stranger}; there are ${Object.keys(benches).join(', ')}`)
  process.exit(1)
}
for (const [name, run] of Object.entries(benches)) if (named.length === 0 || named.includes(name)) await run()
