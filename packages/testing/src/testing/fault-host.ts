import type { ImageModelV4 } from '@ai-sdk/provider'
import { afterEach } from 'vitest'
import { createTestHost, type TestHost, type TestHostOptions } from '../index.ts'

const manifest = {
  schema: 3,
  name: 'App',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main' }],
    host_api: {
      storage: ['*'],
      llm: ['*'],
      image: ['*'],
      upload: ['*'],
      web: ['*'],
      credentials: ['*'],
      agent: { session: { auto: true }, tools: ['time_now'] },
    },
  },
  required_plugs: [{ handle: 'csv-stats' }],
}

/** One pixel, whatever is asked for. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const imageModel: ImageModelV4 = {
  specificationVersion: 'v4',
  provider: 'test',
  modelId: 'pixel',
  maxImagesPerCall: 4,
  doGenerate: async () => ({
    images: [PIXEL],
    warnings: [],
    response: { timestamp: new Date(0), modelId: 'pixel', headers: undefined },
  }),
}

/** Opens hosts for tests, one at a time; each is closed after its test. */
export function faultHosts() {
  let host: TestHost
  afterEach(() => host.close())
  const start = async (options: Partial<TestHostOptions> = {}) => {
    host = await createTestHost({ manifest, ...options })
  }
  return {
    /** The one that was opened last. */
    at: () => host,
    /** Opens a host for an app that may do everything. */
    start,
    /** Opens a host, and a window of the app. */
    async open(options: Partial<TestHostOptions> = {}) {
      await start(options)
      return host.openWindow()
    },
  }
}
export const codeOf = (call: Promise<unknown>) => call.catch((error) => error.code)
export const question = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Count' } }],
}
