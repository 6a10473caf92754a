import { cookieAt, errors, SIGN_IN_COOKIE, WINDOW_TOKEN_HEADER } from '../../packages/contract/src/index.ts'
import type { RouteAuth, RouteFailure } from '../../packages/contract/src/routes/index.ts'

/** How each token travels. */
export const securitySchemes = {
  signIn: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieAt(SIGN_IN_COOKIE, 'localhost:8787'),
    description: `The sign-in of the user at a host on port 8787: the name of the cookie ends with the port in Host, and is ${SIGN_IN_COOKIE} where it has none.`,
  },
  windowToken: {
    type: 'apiKey',
    in: 'header',
    name: WINDOW_TOKEN_HEADER,
    description: 'The token of a window, 120 seconds long; the page has it, never the bundle.',
  },
  sessionToken: { type: 'http', scheme: 'bearer', description: 'The app_session_token of a session.' },
  runnerToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token that enrolling a machine answered.',
  },
  metricsToken: { type: 'http', scheme: 'bearer', description: 'The metricsToken of the operator.' },
  operatorToken: { type: 'http', scheme: 'bearer', description: 'The operatorToken of the operator.' },
  signature: { type: 'apiKey', in: 'query', name: 'sig', description: 'The signature of a negotiated URL.' },
} as const

type Scheme = keyof typeof securitySchemes

/** Of the schemes in a row all are needed; of several rows one is enough. */
const schemes: Readonly<Record<RouteAuth, readonly (readonly Scheme[])[]>> = {
  cookie: [['signIn']],
  'window+cookie': [['windowToken', 'signIn']],
  bearer: [['sessionToken']],
  runner: [['runnerToken']],
  signature: [['signature']],
  // The token stands in the body, where no scheme looks.
  sampling: [],
  operator: [['metricsToken'], []],
  admin: [['operatorToken']],
  none: [],
}

/** What admits a request, as an operation says it. */
export const schemeOf = (auth: RouteAuth) =>
  schemes[auth].map((all) => Object.fromEntries(all.map((name) => [name, []])))

const text = { type: 'string' } as const
const code = { ...text, enum: Object.keys(errors) }
const details = { type: 'object', additionalProperties: true } as const
const object = (properties: Readonly<Record<string, unknown>>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

/** The form of a failure on each kind of route. */
export const failureNames: Readonly<Record<RouteFailure, string>> = {
  route: 'RouteFailure',
  session: 'SessionFailure',
  envelope: 'CallFailure',
}

const named = { code, message: text, name: text, details }

/** The forms of failures. */
export const failureSchemas = {
  RouteFailure: object({ error: object(named, ['code', 'message']) }),
  SessionFailure: object({
    error: object({ name: code, code: { anyOf: [text, { type: 'integer' }] }, message: text, details }, [
      'name',
      'code',
      'message',
    ]),
  }),
  CallFailure: object({ id: text, ok: { const: false }, error: object(named, ['code', 'message']) }),
} as const
