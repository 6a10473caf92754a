// `npm run sbom`: prints the bill of materials (CycloneDX) of all packages in the lockfile; `-- --prod` leaves out the
// tools of builds and tests.
import { runPnpm } from './install.mjs'

const flags = ['--sbom-format', 'cyclonedx', '--lockfile-only', ...process.argv.slice(2)]
const { code } = await runPnpm(['sbom', ...flags])
process.exitCode = code
