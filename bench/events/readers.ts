import { connect } from 'node:net'

/**
 * Readers of an event stream in a process of their own. Arguments: port, path, cookie, count. Says `ready`; then it is
 * told what is in the last message of a block, says `ready` again, and `done` when all of them saw that.
 */
const [port, path, cookie, count] = [
  Number(process.argv[2]),
  process.argv[3],
  process.argv[4],
  Number(process.argv[5]),
]
let mark: string | null = null
let ready = 0
let done = 0
process.on('message', (next: string) => {
  mark = next
  process.send?.('ready')
})
for (let at = 0; at < count; at++) {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`)
  let open = false
  socket.on('data', (chunk: Buffer) => {
    if (!open && chunk.includes('retry:')) {
      open = true
      ready += 1
      if (ready === count) process.send?.('ready')
    }
    if (mark === null || !chunk.includes(mark)) return
    done += 1
    if (done < count) return
    done = 0
    process.send?.('done')
  })
  socket.on('error', () => process.exit())
}
