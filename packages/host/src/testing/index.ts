export { declaredPlugs } from '../access/manifest.ts'
export { type JobEngine, openJobEngine } from './job-engine.ts'
export { readAppFolder } from './read-app-folder.ts'
export { type SpendableQuota, spendableQuotas, spendQuota } from './spend-quota.ts'

/** Loads what a host loads with its first runs: a test that waits for a run waits for no file then. */
export async function loadRuns(): Promise<void> {
  await Promise.all([import('../work/runs/agent-loop.ts'), import('../work/runs/tool-loop.ts')])
}
