import { preview } from 'vite'

/** Serves the files of a folder on loopback, as static servers do: compressed, and `index.html` for a folder. */
export async function serveFolder(dir: string, port: number) {
  const server = await preview({
    configFile: false,
    logLevel: 'silent',
    appType: 'mpa',
    build: { outDir: dir },
    preview: { host: '127.0.0.1', port, strictPort: true },
  })
  const address = server.httpServer.address()
  const bound = typeof address === 'object' ? address?.port : port
  return { url: `http://127.0.0.1:${bound}`, close: () => server.close() }
}
