import type { Result } from './lib/result.ts'
import { benchPage } from './start/page.ts'
import { benchProcesses } from './start/processes.ts'

/** What is waited for before anything is there: a host that listens, the help of the command line, the page, its windows. */
export async function benchStart(): Promise<Result[]> {
  return [...(await benchProcesses()), ...(await benchPage())]
}

if (import.meta.main) await benchStart()
