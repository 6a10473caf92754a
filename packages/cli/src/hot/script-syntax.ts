import { type Plugin, parseAstAsync } from 'vite'

/** A script of the app as it is written: what is compiled says itself what is wrong with it. */
const PLAIN_SCRIPT = /^(?!.*\/node_modules\/)[^?\0]*\.m?js$/

/** Says what is wrong in a plain script, and where, as builds do: Vite itself only says that it cannot read it. */
export const scriptSyntax: Plugin = {
  name: 'svc:script-syntax',
  apply: 'serve',
  enforce: 'post',
  transform: {
    filter: { id: PLAIN_SCRIPT },
    async handler(code) {
      await parseAstAsync(code).catch((error: unknown) => {
        if (!(error instanceof Error) || !('pos' in error) || typeof error.pos !== 'number') throw error
        // The first line is a count; what is wrong comes after it.
        this.error(error.message.split('\n')[1] ?? error.message, error.pos)
      })
    },
  },
}
