import { ask, openPage, type Page, type PageWindow } from './page.ts'
import { type ProcessFigures, type Server, startServer } from './process.ts'

/** Requests that are under way at once while pages are opened. */
const AT_ONCE = 16

/** A server with the pages of its users. */
export interface Contender {
  readonly server: Server
  readonly pages: Page[]
  signIn(user: string): Promise<void>
  install(page: Page): Promise<void>
  openWindow(page: Page): Promise<PageWindow>
  openStream(page: Page): Promise<void>
  openSocket(page: Page): Promise<void>
  close(): Promise<void>
}

/** Starts the real host; its state is in `dir`, or in memory. */
export async function startSvc(name: string, dir?: string): Promise<Contender> {
  const server = await startServer(name, './svc.ts', ...(dir === undefined ? [] : [dir]))
  const { appId = '', startToken = '' } = server.ready
  const pages: Page[] = []
  return {
    server,
    pages,
    async signIn(user) {
      const headers = { authorization: `Bearer ${startToken}` }
      const { cookie } = await ask(server.port, 'POST', '/api/v1/auth/dev-login', { user }, headers)
      pages.push(openPage(server.port, cookie))
    },
    install: async (page) =>
      void (await page.ask('POST', '/api/v1/svc-apps/installs', {
        app_id: appId,
        version: '1.0.0',
        grants: {},
      })),
    async openWindow(page) {
      const opened = (await page.ask('POST', '/api/v1/svc-apps/windows', { app_id: appId })) as PageWindow
      const { window_uuid, token } = opened
      page.windows.push({ window_uuid, token })
      return opened
    },
    openStream: (page) =>
      page.openStream(
        `/api/v1/svc-apps/runtime/events?windows=${page.windows.map((one) => one.window_uuid).join(',')}`,
      ),
    openSocket: (page) => page.openSocket('/api/v1/svc-apps/runtime/calls'),
    close: () => closeAll(server, pages),
  }
}

/** Starts the raw limit. */
export async function startBare(name: string): Promise<Contender> {
  const server = await startServer(name, './bare.ts')
  const pages: Page[] = []
  return {
    server,
    pages,
    async signIn(user) {
      await ask(server.port, 'GET', '/sign-in', undefined)
      pages.push(openPage(server.port, `user=${user}`))
    },
    install: async (page) => void (await page.ask('GET', '/install')),
    async openWindow(page) {
      const opened = (await page.ask('POST', '/windows', {})) as PageWindow
      page.windows.push(opened)
      return opened
    },
    openStream: (page) => page.openStream('/events'),
    openSocket: (page) => page.openSocket('/calls'),
    close: () => closeAll(server, pages),
  }
}

async function closeAll(server: Server, pages: readonly Page[]): Promise<void> {
  for (const page of pages) page.close()
  await server.close()
}

/** Does something for each, several at once. */
export async function eachAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>) {
  const left = [...items].reverse()
  const lane = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/** What a step cost the server. */
export interface StepCost {
  readonly heapBytes: number
  readonly rssBytes: number
  readonly cpuUs: number
}

/** Does a step, and returns what one of `count` cost, with the figures after it, which are those before the next. */
export async function costOf(
  { server }: Contender,
  before: ProcessFigures,
  count: number,
  step: () => Promise<unknown>,
): Promise<{ readonly cost: StepCost; readonly after: ProcessFigures }> {
  await step()
  const { cpuUs } = await server.figures()
  const after = await server.figures('rest')
  const each = (of: (figures: ProcessFigures) => number) => (of(after) - of(before)) / count
  const cost = {
    heapBytes: each((one) => one.heapBytes),
    rssBytes: each((one) => one.rssBytes),
    cpuUs: (cpuUs - before.cpuUs) / count,
  }
  return { cost, after }
}
