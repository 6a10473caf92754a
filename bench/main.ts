import { didYouMean } from '@svc/contract/nearest'
import { PROFILE_DIR } from './lib/profile.ts'
import { thisMachine } from './runs/machine.ts'
import { openRecord } from './runs/record.ts'

/** All measurements one after another; `npm run bench -- gateway stdio` runs some. What begins with a dash is for one of them. */
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  start: async () => (await import('./start.ts')).benchStart(),
  sizes: async () => (await import('./sizes.ts')).benchSizes(),
  gateway: async () => (await import('./gateway.ts')).benchGateway(),
  events: async () => (await import('./events.ts')).benchEvents(),
  frames: async () => (await import('./frames.ts')).benchFrames(),
  state: async () => (await import('./state.ts')).benchState(),
  stdio: async () => (await import('./stdio.ts')).benchStdio(),
  install: async () => (await import('./install.ts')).benchInstall(),
  jobs: async () => (await import('./jobs.ts')).benchJobs(),
  remote: async () => (await import('./remote.ts')).benchRemote(),
  port: async () => (await import('./port.ts')).benchPort(),
  path: async () => (await import('./path.ts')).benchPath(),
  hmr: async () => (await import('./hmr.ts')).benchHmr(),
  walls: async () => (await import('./walls.ts')).benchWalls(),
  attack: async () => (await import('./attack.ts')).benchAttack(),
  cluster: async () => (await import('./cluster.ts')).benchCluster(),
  'cluster-jobs': async () => (await import('./cluster-jobs.ts')).benchClusterJobs(),
  'cluster-costs': async () => (await import('./cluster-costs.ts')).benchClusterCosts(),
  scale: async () => (await import('./scale.ts')).benchScale(),
  windows: async () => (await import('./windows.ts')).benchWindows(),
}

/** Measurements that run only when they are named: they take long, or a tool that few machines have. */
const apart: Readonly<Record<string, () => Promise<unknown>>> = {
  instructions: async () => (await import('./instructions.ts')).benchInstructions(),
  soak: async () => (await import('./soak.ts')).benchSoak(),
  'soak-tab': async () => (await import('./soak-tab.ts')).benchSoakTab(),
}

/** What measures nothing, with the words after its name. */
const commands: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  list: async () => (await import('./runs/commands.ts')).listRuns(),
  compare: async (words) => (await import('./runs/commands.ts')).compareRuns(words),
  flames: async (words) => (await import('./flames.ts')).drawFlames(words),
}

const words = process.argv.slice(2)
const command = commands[words[0] ?? '']
try {
  await (command ? command(words.slice(1)) : measure())
} catch (error) {
  if (!command) throw error
  console.error(`svc: ${(error as Error).message}`)
  process.exitCode = 1
}

async function measure(): Promise<void> {
  const options = words.findIndex((word) => word.startsWith('-'))
  const named = options === -1 ? words : words.slice(0, options)
  const all = { ...benches, ...apart }
  const stranger = named.find((name) => !Object.hasOwn(all, name))
  if (stranger !== undefined) {
    const names = Object.keys({ ...all, ...commands })
    const meant = didYouMean(stranger, names) || `; there are ${names.join(', ')}`
    console.error(`svc: there is no measurement ${stranger}${meant}`)
    process.exit(1)
  }
  const profile = words.indexOf('--profile')
  if (profile !== -1) process.env[PROFILE_DIR] = words[profile + 1] ?? 'profiles'
  const machine = thisMachine()
  if (!machine.countsInstructions) console.log('this machine counts no instructions')
  const record = openRecord(machine)
  let file = ''
  for (const [name, run] of Object.entries(all))
    if (named.length === 0 ? name in benches : named.includes(name))
      file = await record.add(name, await run())
  console.log(`\nthe results are in ${file}; \`npm run bench -- list\` has the last ten runs`)
}
