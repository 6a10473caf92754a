import { defineCommand } from 'citty'
import { placeArgs, readPlace } from '../../host/data-args.ts'
import { importState } from '../../host/portable-data.ts'
import { print } from '../../terminal/print.ts'
import { openProgress } from '../../terminal/progress.ts'

/** `svc data restore FILE`, or `import`: a data folder of a backup, or the state of several hosts, whichever driver wrote it. */
export const restore = defineCommand({
  args: {
    file: { type: 'positional', required: true, description: 'A file of svc data backup or export.' },
    ...placeArgs,
    data: {
      ...placeArgs.data,
      description: 'The data folder to make: empty, or not there yet. Without it and --config, ./svc-data.',
    },
  },
  async run({ args }) {
    const { file, json } = args
    const place = await readPlace(args, process.cwd())
    const progress = openProgress(`svc: reading ${file}`)
    await importState(place, file, { onProgress: progress.show }).finally(progress.end)
    const isFolder = typeof place === 'string'
    const data = isFolder ? place : { name: place.name ?? 'svc' }
    const has = isFolder
      ? `${place} has`
      : `PostgreSQL and Redis, under the name ${place.name ?? 'svc'}, have`
    print(json ? JSON.stringify({ ok: true, data }) : `${has} the state of ${file}.`)
  },
})
