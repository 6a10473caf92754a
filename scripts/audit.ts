// `npm run audit`: fails where a package that users install has a known weakness of level high or worse. A registry
// that does not answer is told of, and fails nothing.
import { runPnpm } from './install.mjs'

const { code, output } = await runPnpm(['audit', '--prod', '--audit-level', 'high'], { capture: true })
const [, error] = /(ERR_PNPM_\w+)/.exec(output) ?? []
console.log(
  error ? `svc: the registry returned no advisories (${error}); nothing was audited` : output.trimEnd(),
)
process.exitCode = error ? 0 : code
