/** Commands of pages that no test runs, and why; each is held against the real command line all the same. */
export const notRun: readonly { readonly page?: string; readonly command: RegExp; readonly why: string }[] = [
  { command: /^npm test( -- (all|release))?$/, why: 'it is what runs this test' },
  {
    command: /^npm install .*@svc\//,
    why: 'it needs a registry with our packages; pack.release.test.ts installs all of them from one of its own',
  },
  {
    page: 'packages/create-svc/README.md',
    command: /./,
    why: 'it needs a registry with our packages; pack.release.test.ts runs these commands for each template',
  },
  { page: 'docs/guides/publishing.md', command: /^uv (build|publish)$/, why: 'it publishes a package' },
  { command: /^npx svc dev my-app --open$/, why: 'it opens a browser' },
  {
    command: /^npx svc-mcp -- npx -y /,
    why: 'it downloads a package of somebody else; the runner tests installs from a registry of its own',
  },
  {
    page: 'docs/guides/mcp-servers.md',
    command: /^npm install --save-dev @modelcontextprotocol/,
    why: 'it is for a project of its reader; servers.release.test.ts installs and runs these servers',
  },
  {
    page: 'docs/guides/mcp-servers.md',
    command: /^svc plug publish /,
    why: 'it downloads a package of somebody else; the runner tests installs from a registry of its own',
  },
  {
    page: 'docs/guides/operating.md',
    command: /^svc (doctor|data import) .*--config svc\.config\.js/,
    why: 'it needs PostgreSQL and Redis; doctor.cluster.test.ts and data/cluster.cluster.test.ts run it with both',
  },
  {
    page: 'docs/scaling.md',
    command: /^npm run bench -- /,
    why: 'it measures for minutes, on servers of its own; the tests of bench hold what it calculates',
  },
  { page: 'docs/guides/app.md', command: /https:\/\/svc\.example\.org/, why: 'it asks a host of the reader' },
  { page: 'docs/guides/run-a-host.md', command: /https:\/\/site\.org/, why: 'it asks a host of the reader' },
]

/** Returns why nothing runs a command of a page, or `null` where a test does. */
export const whyNotRun = (page: string, command: string): string | null =>
  notRun.find((row) => (row.page ?? page) === page && row.command.test(command))?.why ?? null
