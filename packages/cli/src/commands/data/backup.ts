import { defineCommand } from 'citty'
import { placeArgs, readPlace } from '../../host/data-args.ts'
import { exportState } from '../../host/portable-data.ts'
import { bytesText, countText } from '../../terminal/amount.ts'
import { print } from '../../terminal/print.ts'
import { openProgress } from '../../terminal/progress.ts'

/** `svc data backup FILE`, or `export`: a copy of the state of a host, or of several, while they may use it. */
export const backup = defineCommand({
  args: {
    file: { type: 'positional', required: true, description: 'The file to write; nothing is overwritten.' },
    ...placeArgs,
  },
  async run({ args }) {
    const { file, json } = args
    const place = await readPlace(args, process.cwd())
    const progress = openProgress(`svc: writing ${file}`)
    const done = await exportState(place, file, { onProgress: progress.show }).finally(progress.end)
    const { records, items, blobs, bytes } = done
    if (json) print(JSON.stringify({ ok: true, file, ...done }))
    else
      print(
        `${file}: ${bytesText(bytes)} with ${countText(records, 'record')}, ${countText(items, 'journal item')}, ${countText(blobs, 'blob')}. Keep it as safe as a password: it has the secret of tokens.`,
      )
  },
})
