import { connect, type Socket } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Keeps `connections` sockets busy with one prepared request each until `count` answers came, and reads no
 * more of an answer than its length: the client costs as little as it can. Answers must carry Content-Length.
 */
export async function load(port: number, request: Buffer, connections: number, count: number): Promise<void> {
  let left = count
  let answered = 0
  await new Promise<void>((resolve, reject) => {
    const sockets: Socket[] = []
    const finish = (error?: Error) => {
      for (const socket of sockets) socket.destroy()
      if (error) reject(error)
      else resolve()
    }
    for (let at = 0; at < connections; at++) {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      socket.setNoDelay(true)
      let held: Buffer = Buffer.alloc(0)
      const next = () => {
        if (left === 0) return
        left -= 1
        socket.write(request)
      }
      socket.on('connect', next).on('error', finish)
      socket.on('data', (chunk) => {
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
        const head = held.indexOf(HEAD_END)
        if (head === -1) return
        const text = held.toString('latin1', 0, head)
        if (!text.startsWith('HTTP/1.1 200')) return finish(new Error(held.toString()))
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
        if (held.length < head + 4 + length) return
        held = held.subarray(head + 4 + length)
        answered += 1
        if (answered === count) finish()
        else next()
      })
    }
  })
}
