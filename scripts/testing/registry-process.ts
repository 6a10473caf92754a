// A registry on a free port of loopback, in a process of its own: takes the folder and the registry behind it as
// arguments, tells its parent the port, and ends with it.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runServer } from 'verdaccio'

const [storage, behind] = process.argv.slice(2)
const everybody = { access: '$all', publish: '$all' }
const server = (await runServer({
  storage,
  // What is beside the packages: nothing is written outside of the folder.
  configPath: `${storage}/config.yaml`,
  self_path: `${storage}/config.yaml`,
  uplinks: { npm: { url: behind } },
  packages: { '@svc/*': everybody, 'create-svc': everybody, '**': { ...everybody, proxy: 'npm' } },
  auth: {},
  log: { type: 'stdout', format: 'json', level: 'error' },
} as never)) as Server

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
