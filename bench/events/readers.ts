import { connect } from 'node:net'

/** Readers of an event stream in a process of their own. Arguments: port, path, count. Says `ready`, then `done` each time all of them saw the last frame of a block. */
const [port, path, count] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])]
const LAST = '"title":"last'
let ready = 0
let done = 0
for (let at = 0; at < count; at++) {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  let open = false
  socket.on('data', (chunk: Buffer) => {
    if (!open && chunk.includes('\n\n')) {
      open = true
      ready += 1
      if (ready === count) process.send?.('ready')
    }
    if (!chunk.subarray(-200).includes(LAST)) return
    done += 1
    if (done < count) return
    done = 0
    process.send?.('done')
  })
  socket.on('error', () => process.exit())
}
