import { connect, type Socket } from 'node:net'

/** Pages that read an event stream. */
export interface Pages {
  /** Resolves when one of them has read this. */
  until(mark: string): Promise<void>
  close(): void
}

/** Opens an event stream for each cookie, and resolves when all of them are open. */
export async function openPages(port: number, path: string, cookies: readonly string[]): Promise<Pages> {
  const sockets: Socket[] = []
  let wanted = { mark: '', resolve: () => {} }
  for (const cookie of cookies) {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true)
    sockets.push(socket)
    await new Promise<void>((resolve, reject) => {
      let isOpen = false
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`)
      socket.on('error', reject)
      socket.on('data', (data) => {
        const text = String(data)
        if (!isOpen && !text.includes('retry:') && !text.startsWith('HTTP/1.1 200'))
          return reject(new Error(text))
        isOpen = true
        resolve()
        // A relay wraps what it writes once more.
        if (wanted.mark !== '' && text.replaceAll('\\', '').includes(wanted.mark)) wanted.resolve()
      })
    })
  }
  return {
    until: (mark) =>
      new Promise((done) => {
        wanted = { mark, resolve: done }
      }),
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
