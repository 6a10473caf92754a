import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
  '.webp': 'image/webp',
}
/** Files that are compressed already. */
const packed = new Set(['.png', '.webp'])

/** Serves the files of a folder on loopback, as static servers do: compressed, and `index.html` for a folder. */
export async function serveFolder(dir: string, port: number) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const asked = path.join(dir, path.posix.normalize(decodeURIComponent(pathname)))
    const file = existsSync(asked) && statSync(asked).isDirectory() ? path.join(asked, 'index.html') : asked
    const ending = path.extname(file)
    const type = types[ending]
    if (type === undefined || !existsSync(file)) return void response.writeHead(404).end('not found')
    response.setHeader('Content-Type', type)
    if (packed.has(ending)) return void response.end(readFileSync(file))
    response.setHeader('Content-Encoding', 'gzip')
    response.end(gzipSync(readFileSync(file)))
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.on('error', reject).listen(port, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  const bound = typeof address === 'object' ? address?.port : port
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () => void server.close(),
  }
}
