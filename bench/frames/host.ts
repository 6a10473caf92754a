import { atPort, openTestHost } from '@svc/conformance/testing/host'
import { serveFigures } from '../lib/server.ts'

/** The real host with the model of a provider and one window. Argument: the port of the provider. */
process.env.SVC_LLM_BASE_URL = `http://127.0.0.1:${process.argv[2]}/v1`
process.env.SVC_LLM_MODEL = 'bench-1'
const DAY_MS = 86_400_000
const MANY = 1e12
const host_api = { agent: { session: { auto: true } }, llm: ['stream'] }

const testHost = await openTestHost({
  manifest: { host_api },
  quotas: { runs_per_day: MANY, completions_per_day: MANY, tokens_per_day: MANY },
  limits: { WINDOW_TOKEN_TTL_MS: DAY_MS, SESSIONS_PER_APP: MANY, SESSIONS_PER_USER: MANY },
})
const window = await testHost.openWindow()
const { port } = await testHost.host.listen(0)
serveFigures({
  port,
  token: window.token,
  cookie: atPort(window.cookie, { port }),
  window: window.windowUuid,
})
