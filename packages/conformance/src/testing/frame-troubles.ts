import type { MountOptions } from '@svc/bridge'
import type { Bend, FrontAnswer } from './page-front.ts'

/** What a proxy, a page or a browser does to a document, and what the page is told of it. */
export interface FrameTrouble {
  readonly name: string
  readonly bend: Bend
  readonly reason: string
  /** What its hint holds. */
  readonly hint: string
  readonly until?: MountOptions['until']
}

const document = /\/bundles\/.*\.html/
const POLICY = 'content-security-policy'
const EMBEDDER = 'cross-origin-embedder-policy'

/** Changes the answers of the paths that match. */
const at =
  (paths: RegExp, change: (answer: FrontAnswer) => Partial<FrontAnswer>): Bend =>
  (path, answer) =>
    paths.test(path) ? { ...answer, ...change(answer) } : answer
const headers =
  (more: FrontAnswer['headers']) =>
  ({ headers: old }: FrontAnswer) => ({ headers: { ...old, ...more } })
const added =
  (policy: string) =>
  ({ headers: old }: FrontAnswer) => ({ headers: { ...old, [POLICY]: [String(old[POLICY]), policy] } })
const page = (status: number) => () => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html>something else',
})

/** Each with a name of its own, in every browser. */
export const frameTroubles: readonly FrameTrouble[] = [
  {
    name: "the page's frame-src",
    bend: at(/^\/$/, headers({ [POLICY]: "frame-src 'none'" })),
    reason: 'csp',
    hint: 'Content-Security-Policy: frame-src http://',
  },
  {
    name: "the page's embedder policy, where the document has none",
    bend: (path, answer) =>
      at(document, headers({ [EMBEDDER]: undefined }))(
        path,
        at(/^\/$/, headers({ [EMBEDDER]: 'require-corp' }))(path, answer, {}),
        {},
      ),
    reason: 'coep',
    hint: 'Something before the host takes cross-origin-embedder-policy',
  },
  {
    name: 'frame-ancestors that a proxy adds',
    bend: at(document, added("frame-ancestors 'none'")),
    reason: 'framing',
    hint: "adds frame-ancestors 'none'",
  },
  {
    name: 'X-Frame-Options in place of the policy',
    bend: at(document, headers({ [POLICY]: undefined, 'x-frame-options': 'DENY' })),
    reason: 'framing',
    hint: 'adds X-Frame-Options',
  },
  {
    name: 'a policy that a proxy adds',
    bend: at(document, added("script-src 'none'")),
    reason: 'policy',
    hint: "Content-Security-Policy: script-src 'none'",
  },
  { name: 'a sign-in page', bend: at(document, page(200)), reason: 'foreign', hint: 'sign-in page' },
  { name: 'the error of a proxy', bend: at(document, page(502)), reason: 'http', hint: 'answers at' },
  {
    name: 'a filter of addresses',
    bend: at(document, () => ({ status: 0 })),
    reason: 'filtered',
    hint: 'ad blocker',
  },
  {
    name: 'a script of the app that is not there',
    bend: at(/\/app\.js$/, page(404)),
    reason: 'script',
    hint: 'app.js',
    until: 'connected',
  },
]
