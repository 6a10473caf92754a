import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Plugin, preview } from 'vite'

/**
 * Serves the files of a folder on loopback, as static servers do: compressed, `index.html` for a folder, and `404.html` for
 * what is not there.
 */
export async function serveFolder(dir: string, port: number) {
  const server = await preview({
    configFile: false,
    logLevel: 'silent',
    plugins: [notFound(dir)],
    appType: 'mpa',
    build: { outDir: dir },
    preview: { host: '127.0.0.1', port, strictPort: true },
  })
  const address = server.httpServer.address()
  const bound = typeof address === 'object' ? address?.port : port
  return { url: `http://127.0.0.1:${bound}`, close: () => server.close() }
}

/** Answers what is not there; the pages themselves are served after this. */
const notFound = (dir: string): Plugin => ({
  name: 'svc-not-found',
  configurePreviewServer(server) {
    return () => {
      server.middlewares.use((req, res, next) => {
        const { pathname } = new URL(req.url ?? '/', 'http://localhost')
        const file = pathname.endsWith('/') ? `${pathname}index.html` : pathname
        if (existsSync(path.join(dir, file))) return next()
        res.writeHead(404, { 'content-type': 'text/html; charset=utf-8' })
        res.end(readFileSync(path.join(dir, '404.html')))
      })
    }
  },
})
