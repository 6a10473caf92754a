import { svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import { byId } from './by-id.ts'
import { openJobs } from './jobs.ts'
import { openStart } from './start.ts'
import { showTrouble } from './trouble.ts'

const tooOld =
  'This host has no jobs (it does not offer tools.invokeAsync), so this app cannot work here. Ask whoever runs the host to update it'

followTheme(svc)
try {
  await svc.ready
  if (await svc.supports('tools.invokeAsync')) {
    const jobs = openJobs()
    await Promise.all([jobs.list(), openStart(jobs.start)])
  } else showTrouble(byId('trouble'), new Error(tooOld))
  await svc.window.ready()
} catch (error) {
  showTrouble(byId('trouble'), error)
}
