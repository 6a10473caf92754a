import { restoreFolder } from '@svc/state-sqlite'
import { defineCommand } from 'citty'
import { dataArgs, withData } from '../../host/data-args.ts'
import { openProgress } from '../../terminal/progress.ts'

/** `svc data restore FILE`, or `import`: a data folder of a backup, whichever driver wrote it. */
export const restore = defineCommand({
  args: {
    file: { type: 'positional', required: true, description: 'A file of svc data backup or export.' },
    ...dataArgs,
    data: { ...dataArgs.data, description: 'The data folder to make: empty, or not there yet.' },
  },
  async run({ args: { data, file, json } }) {
    const progress = openProgress(`svc: reading ${file}`)
    await withData(restoreFolder(file, data, { onProgress: progress.show })).finally(progress.end)
    console.log(json ? JSON.stringify({ ok: true, data }) : `${data} has the state of ${file}.`)
  },
})
