import type { MountOptions } from '@svc/bridge'
import { type Bend, createBendingFront, type FrontAnswer } from '@svc/testing'

/** What a proxy, a page or a browser does to a document, and what the page is told of it. */
export interface FrameTrouble {
  readonly name: string
  readonly bends: readonly Bend[]
  readonly reason: string
  /** What its hint holds. */
  readonly hint: string
  readonly until?: MountOptions['until']
}

const document = /\/bundles\/.*\.html/
const POLICY = 'content-security-policy'
const EMBEDDER = 'cross-origin-embedder-policy'

/** Starts a front that bends before a host. */
export const startFront = (target: string, ...bends: readonly Bend[]) => createBendingFront({ target, bends })

/** Sets headers of answers; `undefined` takes one away. */
export const sets = (on: RegExp, more: Readonly<Record<string, string | undefined>>): Bend => ({
  does: 'Sets headers.',
  on,
  response(headers) {
    for (const [name, value] of Object.entries(more)) {
      if (value === undefined) delete headers[name]
      else headers[name] = value
    }
  },
})
const adds = (policy: string): Bend => ({
  does: 'Adds a policy.',
  on: document,
  response(headers) {
    headers[POLICY] = `${headers[POLICY]}, ${policy}`
  },
})
const answers = (on: RegExp, answer: FrontAnswer | 'reset'): Bend => ({
  does: 'Answers by itself.',
  on,
  answer,
})
const page = (status: number): FrontAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html>something else',
})

/** Each with a name of its own, in every browser. */
export const frameTroubles: readonly FrameTrouble[] = [
  {
    name: "the page's frame-src",
    bends: [sets(/^\/$/, { [POLICY]: "frame-src 'none'" })],
    reason: 'csp',
    hint: 'Content-Security-Policy: frame-src http://',
  },
  {
    name: "the page's embedder policy, where the document has none",
    bends: [sets(/^\/$/, { [EMBEDDER]: 'require-corp' }), sets(document, { [EMBEDDER]: undefined })],
    reason: 'coep',
    hint: 'Something before the host takes cross-origin-embedder-policy',
  },
  {
    name: 'frame-ancestors that a proxy adds',
    bends: [adds("frame-ancestors 'none'")],
    reason: 'framing',
    hint: "adds frame-ancestors 'none'",
  },
  {
    name: 'X-Frame-Options in place of the policy',
    bends: [sets(document, { [POLICY]: undefined, 'x-frame-options': 'DENY' })],
    reason: 'framing',
    hint: 'adds X-Frame-Options',
  },
  {
    name: 'a policy that a proxy adds',
    bends: [adds("script-src 'none'")],
    reason: 'policy',
    hint: "Content-Security-Policy: script-src 'none'",
  },
  { name: 'a sign-in page', bends: [answers(document, page(200))], reason: 'foreign', hint: 'sign-in page' },
  { name: 'the error of a proxy', bends: [answers(document, page(502))], reason: 'http', hint: 'answers at' },
  {
    name: 'a filter of addresses',
    bends: [answers(document, 'reset')],
    reason: 'filtered',
    hint: 'ad blocker',
  },
  {
    name: 'a script of the app that is not there',
    bends: [answers(/\/app\.js$/, page(404))],
    reason: 'script',
    hint: 'app.js',
    until: 'connected',
  },
]
