// `npm run audit`: fails where a package that users install has a known weakness of level high or worse, and where the
// registry could not be asked; `-- --offline-ok` takes the second.
import { auditOutcome } from './audit-outcome.ts'
import { runPnpm } from './install.mjs'

const audited = await runPnpm(['audit', '--prod', '--audit-level', 'high'], { capture: true })
const { code, text } = auditOutcome(audited, process.argv.slice(2))
console.log(text)
process.exitCode = code
