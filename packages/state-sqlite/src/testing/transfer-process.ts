// A process that moves amounts between accounts of a folder, as fast as it can, until it is told to stop.
import { transferAll } from './transfers.ts'

const [, , dir = ''] = process.argv
let isOver = false
let begun = 0
process.once('message', () => {
  isOver = true
})
function onReady() {
  begun = performance.now()
  process.send?.('ready')
}
const writes = await transferAll(dir, onReady, () => isOver)
process.send?.({ writes, seconds: (performance.now() - begun) / 1_000 })
process.disconnect()
