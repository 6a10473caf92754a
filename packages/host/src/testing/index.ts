export { declaredPlugs } from '../access/manifest.ts'
export { type JobEngine, openJobEngine } from './job-engine.ts'
export { readAppFolder } from './read-app-folder.ts'
export { type SpendableQuota, spendableQuotas, spendQuota } from './spend-quota.ts'

/** Loads what a host loads with its first run: a test that waits for a run waits for no file then. */
export const loadRuns = async (): Promise<void> => void (await import('../work/runs/agent-loop.ts'))
