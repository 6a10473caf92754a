/** What is known to leave a bundle in a browser. */
export interface KnownLeaks {
  /** Ways whose host names are told, with the reason why they are not stopped. */
  readonly names: Readonly<Record<string, string>>
  /** Connections that carry no request. */
  readonly connections: number
}

const early = 'Neither a policy nor a header of this browser governs early connections.'

/** Known leaks by browser; what differs from them is a change of the browser or of the walls. */
export const known = {
  Firefox: { names: { preconnect: early, 'preconnect from a script': early }, connections: 2 },
  // It does not say what it looks up, so its connections have no names; `preconnect` makes such ones.
  WebKit: { names: {}, connections: 2 },
} as const satisfies Readonly<Record<string, KnownLeaks>>

const noJson = 'for a document without an origin it loads no JSON module in a worker'

/** What a browser, as it is driven here, has not or does not show, by scenario row, with the reason. */
export const lacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  firefox: {
    'import of JSON in a worker': noJson,
    'filling the screen': 'as it is driven it denies every request',
  },
  webkit: {
    'import of JSON in a worker': noJson,
    'audio of a blob': 'WebKitGTK does not play it in an ordinary page either',
    'workers in an isolated page':
      'it takes a blob of a document without an origin for one without the policy',
    'threads in a frame': 'it gives a frame without an origin no SharedArrayBuffer',
    print: 'its driver has no printer: print() does nothing in an ordinary page either',
  },
}
