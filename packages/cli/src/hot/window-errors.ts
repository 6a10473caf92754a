import type { DevEnvironment, Plugin } from 'vite'
import { THREW } from '../project/build-sentence.ts'
import { insteadOf, refusedOrigin } from './refused-apis.ts'
import { placeInSource } from './source-place.ts'

/** What a window threw, as an error of a bundler; the place is that of the source. */
export interface WindowError {
  readonly message: string
  /** What found it. */
  readonly plugin: string
  /** What to do about it, where more is known than its place. */
  readonly hint?: string
  readonly id?: string
  readonly loc?: { readonly file: string; readonly line: number; readonly column: number }
}

/** What tells that the policy refused a request of a window; it comes before the error that its script gets. */
export const REFUSED = 'svc:refused'

/** What the client of Vite sends of an error that nobody caught. */
interface Sent {
  readonly type: string
  readonly data: { readonly name?: string; readonly message?: string; readonly stack?: string }
}

/** What the client of Vite sends of a request that the policy refused. */
interface Refused {
  readonly directive?: string
  readonly blocked?: string
}

const FRAME = /(https?:\/\/[^\s()]+?):(\d+):(\d+)\)?$/gm

/**
 * Tells of the first error that the code of an app throws in a window and nobody catches, until `again` is called: what
 * comes after it mostly comes from it.
 */
export function openWindowErrors(onError: (error: WindowError) => void) {
  let hasTold = false
  /** The bundles that windows have, and had before they loaded another one, by their digests. */
  const bundles = new Map<string, 'shown' | 'replaced'>()

  const plugin: Plugin = {
    name: THREW,
    apply: 'serve',
    configureServer({ environments: { client } }) {
      function tell(message: string, stack: string, hint: string | null) {
        // Calls of a document that goes get no answer any more, which is no error of the app.
        if (hasTold || bundles.get(digestOf(stack)) === 'replaced') return
        hasTold = true
        const tellAt = (loc: Awaited<ReturnType<typeof placeOf>>) =>
          onError({ message, plugin: THREW, ...(hint && { hint }), ...(loc && { id: loc.file, loc }) })
        // An app can put any URL into a stack.
        void placeOf(client, stack).then(tellAt, () => tellAt(null))
      }
      client.hot.on('vite:forward-console', (sent: Sent) => {
        if (sent.type !== 'error' && sent.type !== 'unhandled-rejection') return
        const { name = 'Error', message = '', stack = '' } = sent.data
        const kind = sent.type === 'error' ? '' : 'Unhandled rejection: '
        const text = `${kind}${name}: ${String(message).split('\n')[0]}`
        tell(text, String(stack), insteadOf(text))
      })
      client.hot.on(REFUSED, ({ directive, blocked }: Refused) => {
        const refused = refusedOrigin(String(directive), String(blocked))
        if (refused) tell(refused.message, '', refused.hint)
      })
    },
  }
  return {
    plugin,
    /** A window loads its document out of a folder. */
    noteDocument(folder: string): void {
      const digest = digestOf(folder)
      if (digest !== 'none') bundles.set(digest, 'shown')
    },
    /** Every window is about to load another bundle; what is returned takes that back. */
    noteReplaced(): () => void {
      const those = [...bundles.keys()].filter((digest) => bundles.get(digest) === 'shown')
      for (const digest of those) bundles.set(digest, 'replaced')
      return () => {
        for (const digest of those) bundles.set(digest, 'shown')
      }
    },
    /** What was wrong is over; returns whether anything was. */
    again(): boolean {
      const was = hasTold
      hasTold = false
      return was
    },
  }
}

/** The digest of a bundle in the path of its folder, or in a URL below it; `none` where there is none. */
const digestOf = (text: string): string => /\/([0-9a-f]{64})/.exec(text)?.[1] ?? 'none'

/** The first place of a stack that is in the app's own sources. */
async function placeOf({ moduleGraph }: DevEnvironment, stack: string) {
  for (const [, url = '', line, column] of stack.matchAll(FRAME)) {
    // In front of it is the folder of the bundle, which has a digest for a name.
    const path = new URL(url).pathname.replace(/^.*?\/[0-9a-f]{64}[^/]*(?=\/)/, '')
    const search = new URL(url).search.replace(/[?&]t=\d+/, '')
    const module = await moduleGraph.getModuleByUrl(decodeURI(path) + search)
    if (!module?.file || module.file.includes('/node_modules/')) continue
    return placeInSource(module, Number(line), Number(column) - 1)
  }
  return null
}
