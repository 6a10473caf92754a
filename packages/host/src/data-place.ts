import path from 'node:path'
import { OptionError } from '@svc/node/options'
import type { HostOptions } from './settings.ts'

/** Every file of an app is served: data among them would be too. */
export function checkDataPlace({ store, apps = [] }: Pick<HostOptions, 'apps' | 'store'>): void {
  const data = store?.dir
  const app = apps.find(({ dir }) => data !== undefined && !path.relative(dir, data).startsWith('..'))
  if (app)
    throw new OptionError(
      `createHost: the data folder ${data} is inside the app folder ${app.dir}, whose files browsers may read`,
    )
}
