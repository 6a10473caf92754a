import { expect, it } from 'vitest'
import { BASE } from './base.ts'
import { openInlineScripts } from './inline-scripts.ts'

function transform(html: string) {
  const { plugin, read } = openInlineScripts()
  const hook = plugin.transformIndexHtml
  if (typeof hook !== 'object' || !('handler' in hook)) throw new Error('the hook has no handler')
  const made = (hook.handler as (html: string) => string)(html)
  const path = new RegExp(`src="${BASE}(@svc-inline/[0-9a-f]{16}\\.js)"`).exec(made)?.[1]
  return { made, code: path === undefined ? undefined : read(path) }
}

it.each([
  ['of a plugin', '<script type="module">import "/a.js"\nrun()</script>', 'import "/a.js"\nrun()'],
  ['with other attributes', '<script async type=\'module\' data-a="b">go()</script>', 'go()'],
])('makes a file of an inline module %s', (_, html, code) => {
  const { made, code: kept } = transform(`<head>${html}</head>`)
  expect(kept).toBe(code)
  expect(made).not.toContain(code)
  expect(made).toMatch(/^<head><script [^>]*module[^>]*><\/script><\/head>$/)
})

it.each([
  ['a module with a file', '<script type="module" src="/a.js"></script>'],
  ['a script that is no module', '<script>run()</script>'],
  ['data', '<script type="application/json">{"a":1}</script>'],
  ['an empty module', '<script type="module"> </script>'],
])('leaves %s', (_, html) => {
  expect(transform(html).made).toBe(html)
})
