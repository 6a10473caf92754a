// Writes docs/reference, the types of the client, what packages ship, and the servers in the guides to models and to MCP,
// from tables; with --check it only says which page is stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { manifestJsonSchema } from '../packages/contract/src/index.ts'
import { bendsPage } from './reference/bends.ts'
import { withFeatures } from './reference/browser-features.ts'
import { clientTypes } from './reference/client.ts'
import { consumersPage } from './reference/consumers.ts'
import { withDialects } from './reference/dialects.ts'
import { errorsPage } from './reference/errors.ts'
import { eventsPage } from './reference/events.ts'
import { faultsPage } from './reference/faults.ts'
import { limitsPage } from './reference/limits.ts'
import { manifestPage } from './reference/manifest.ts'
import { withServers } from './reference/mcp-servers.ts'
import { methodsPage } from './reference/methods.ts'
import { openapi } from './reference/openapi.ts'
import { platformToolsPage } from './reference/platform-tools.ts'
import { plugFileSchema } from './reference/plug-file.ts'
import { promptTokensPage } from './reference/prompt-tokens.ts'
import { routesPage } from './reference/routes.ts'
import { statesPage } from './reference/states.ts'
import { stdioPage } from './reference/stdio.ts'
import { themePage } from './reference/theme.ts'

const DIR = 'docs/reference'
const CLIENT = '../../packages/contract/src/methods/client-methods.ts'
const SCHEMA = '../../packages/cli/manifest.schema.json'
const PLUG_SCHEMA = '../../packages/cli/plug.schema.json'
const MODELS = '../guides/models.md'
const SERVERS = '../guides/mcp-servers.md'
const APP = '../guides/app.md'
const note = (tables: string) =>
  `<!-- Made from the tables of ${tables} by \`npm run reference\`; change the tables, not this page. -->`

const page =
  (text: () => string, tables = 'packages/contract') =>
  () =>
    `${note(tables)}\n\n${text().trim()}\n`

const pages: ReadonlyMap<string, () => string> = new Map([
  ['manifest.md', page(manifestPage)],
  ['methods.md', page(methodsPage)],
  ['routes.md', page(routesPage)],
  ['errors.md', page(errorsPage)],
  ['limits.md', page(limitsPage)],
  ['states.md', page(statesPage)],
  ['events.md', page(eventsPage)],
  ['faults.md', page(faultsPage, 'packages/testing')],
  ['bends.md', page(bendsPage, 'packages/testing')],
  ['consumers.md', page(consumersPage, 'scripts/consumers')],
  ['platform-tools.md', page(platformToolsPage)],
  ['prompt-tokens.md', page(promptTokensPage)],
  ['stdio.md', page(stdioPage)],
  ['theme.md', page(themePage)],
  [CLIENT, () => `${clientTypes()}\n`],
  [SCHEMA, () => `${JSON.stringify(manifestJsonSchema(), null, 1)}\n`],
  [PLUG_SCHEMA, () => `${JSON.stringify(plugFileSchema(), null, 1)}\n`],
  [MODELS, () => withDialects(readFileSync(path.join(DIR, MODELS), 'utf8'))],
  [SERVERS, () => withServers(readFileSync(path.join(DIR, SERVERS), 'utf8'))],
  [APP, () => withFeatures(readFileSync(path.join(DIR, APP), 'utf8'))],
  ['openapi.json', () => `${JSON.stringify(openapi(), null, 1)}\n`],
])

const checking = process.argv.includes('--check')
mkdirSync(DIR, { recursive: true })
const stale: string[] = []
for (const [name, write] of pages) {
  const file = path.join(DIR, name)
  const text = write()
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  stale.push(file)
  if (!checking) writeFileSync(file, text)
}
const strangers = readdirSync(DIR).filter((name) => !pages.has(name))

if (checking) {
  for (const file of stale) console.error(`${file} is stale; run npm run reference`)
  for (const name of strangers) console.error(`${path.join(DIR, name)} is made by nothing; remove it`)
  process.exitCode = stale.length + strangers.length > 0 ? 1 : 0
} else {
  console.log(stale.length > 0 ? `written: ${stale.join(', ')}` : 'nothing changed')
}
