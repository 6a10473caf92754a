import { svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import { byId } from './by-id.ts'
import { createDesk } from './desk.ts'
import { showPlugins } from './plugins.ts'
import { takeFiles } from './take-files.ts'
import { showTrouble } from './trouble.ts'

followTheme(svc)
try {
  const { capabilities } = await svc.ready
  const plugins = await showPlugins(byId('plugins'))
  const desk = createDesk({
    plugin: plugins.chosen,
    bytesMax: capabilities.limits.SYNC_PAYLOAD_MAX_BYTES ?? Number.POSITIVE_INFINITY,
  })
  plugins.onChange(desk.again)
  takeFiles(desk.describe)
  await svc.window.ready()
} catch (error) {
  showTrouble(byId('trouble'), error)
}
