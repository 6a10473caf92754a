import { verifies } from '@svc/conformance/verifies'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { appsOf, insideOf, tinyShells, windowOf } from './testing/tiny-shell.ts'

const shell = tinyShells({ watch: true })

/** Opens the window of the tiny app, after some of its files were written. */
async function openWith(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) shell().app.put(name, text)
  const { page, troubles } = await shell().open()
  await appsOf(page).getByRole('button', { name: /^Tiny/ }).click()
  return { page, troubles, inside: insideOf(page, 'Tiny'), notice: windowOf(page, 'Tiny').getByRole('alert') }
}

const styleOf = (page: Page) =>
  page.frames().at(-1)?.evaluate<string>('getComputedStyle(document.body).color')
const label = (text: string) => `export const label = ${JSON.stringify(text)}\n`
/** A button that counts, in a module that takes another label without losing its count. */
const counter = `import { svc } from './sdk.js'
import { label } from './label.js'
import './look.css'
let text = label
let clicks = 0
const button = document.createElement('button')
const show = () => { button.textContent = text + ' ' + clicks }
button.onclick = () => { clicks++; show() }
document.querySelector('main').append(button)
show()
import.meta.hot.accept('./label.js', (next) => { text = next.label; show() })
await svc.window.ready()
`
const files = { 'main.js': counter, 'label.js': label('one'), 'look.css': 'body { color: rgb(1, 2, 3) }' }

verifies(
  'hmr.state',
  'shows a saved module and style sheet without a reload, and keeps the state',
  async () => {
    const { page, troubles, inside } = await openWith(files)
    const button = inside.getByRole('button')
    await button.click()
    shell().app.put('label.js', label('two'))
    await inside.getByRole('button', { name: 'two 1' }).waitFor()
    shell().app.put('look.css', 'body { color: rgb(3, 2, 1) }')
    await expect.poll(() => styleOf(page)).toBe('rgb(3, 2, 1)')
    await inside.getByRole('button', { name: 'two 1' }).waitFor()
    expect(troubles).toEqual([])
  },
)

verifies('hmr.reload', 'reloads the document where no module accepts the change', async () => {
  const { troubles, inside } = await openWith(files)
  await inside.getByRole('button').click()
  shell().app.put('main.js', counter.replace('show()\n', 'show()\ndocument.title = "new"\n'))
  await inside.getByRole('button', { name: 'one 0' }).waitFor()
  shell().app.put('label.js', label('two'))
  await inside.getByRole('button', { name: 'two 0' }).waitFor()
  expect(troubles).toEqual([])
})

verifies('window.place', 'keeps the query and hash that an app wrote when a save reloads it', async () => {
  const placed = counter.replace('show()\n', 'show()\nbutton.title = location.search + location.hash\n')
  const { page, inside } = await openWith({ ...files, 'main.js': placed })
  await inside.getByRole('button').click()
  await page.frames().at(-1)?.evaluate(`history.pushState(null, '', '/notes/5?x=1#y')`)
  for (const text of ['two', 'three']) {
    shell().app.put('main.js', placed.replace('let text = label', `let text = '${text}'`))
    const button = inside.getByRole('button', { name: `${text} 0` })
    await button.waitFor()
    expect(await button.getAttribute('title')).toBe('?x=1#y')
  }
})

verifies('hmr.held', 'leaves a window as it is while a module cannot be compiled, and says why', async () => {
  const { troubles, inside, notice } = await openWith(files)
  await inside.getByRole('button').click()
  shell().app.put('main.js', `${counter}\nconst broken = {{\n`)
  await notice.getByText('main.js:14').waitFor()
  await notice.getByText('Unexpected token').waitFor()
  shell().app.put('look.css', 'body { color: rgb(3, 2, 1) }')
  shell().app.put('label.js', label('two'))
  await inside.getByRole('button', { name: 'one 1' }).waitFor()
  shell().app.put('main.js', counter)
  await inside.getByRole('button', { name: 'two 0' }).waitFor()
  await expect.poll(() => notice.count()).toBe(0)
  expect(troubles).toEqual([])
})

verifies('hmr.held', 'holds an import of what a module exports no longer, and says where it is', async () => {
  const named = counter.replace('let text = label', '\nlet text = label')
  const { troubles, inside, notice } = await openWith({ ...files, 'main.js': named })
  await inside.getByRole('button').click()
  shell().app.put('label.js', "export const title = 'two'\n")
  await notice.getByText('main.js:2:10').waitFor()
  await notice.getByText('"label" is not exported by label.js').waitFor()
  await notice.getByText('Export this name, or change the import.').waitFor()
  await inside.getByRole('button', { name: 'one 1' }).waitFor()
  shell().app.put('label.js', label('three'))
  await inside.getByRole('button', { name: 'three 1' }).waitFor()
  expect(troubles).toEqual([])
})

verifies('hmr.errors', 'shows what the code of an app throws, with its place in the source', async () => {
  const typed = `interface Shown { readonly text: string }

export function fail({ text }: Shown): never {
  throw new TypeError(text)
}
`
  const throwing = counter.replace(
    'button.onclick = () => {',
    `addEventListener('unhandledrejection', () => { document.body.dataset.told = '' }); button.oncontextmenu = () => { void Promise.reject(new RangeError('late')) }
button.onclick = () => { if (clicks === 1) fail({ text: 'no lamp' });`,
  )
  const { inside, notice } = await openWith({
    ...files,
    'fail.ts': typed,
    'main.js': `import { fail } from './fail.ts'\n${throwing}`,
  })
  await inside.getByRole('button').click()
  await inside.getByRole('button').click()
  await notice.getByText('TypeError: no lamp').waitFor()
  await notice.getByText('fail.ts:4:9').waitFor()
  // The first one counts, until a file is saved.
  await inside.getByRole('button').click({ button: 'right' })
  await inside.locator('[data-told]').waitFor({ state: 'attached' })
  shell().app.put('label.js', label('two'))
  await inside.getByRole('button', { name: 'two 1' }).waitFor()
  await expect.poll(() => notice.count()).toBe(0)
  await inside.getByRole('button').click({ button: 'right' })
  await notice.getByText('Unhandled rejection: RangeError: late').waitFor()
  await notice.getByText('main.js:9:').waitFor()

  shell().app.put('label.js', "export const label = (() => { throw new Error('while it is replaced') })()\n")
  await notice.getByText('while it is replaced').waitFor()
  await notice.getByText('label.js:1:').waitFor()
})

verifies('hmr.errors', 'names the origin that an app asked in vain, and what it has not', async () => {
  const asking = `fetch('https://a.test/x').catch(() => {})\n`
  const { inside, notice } = await openWith({ ...files, 'main.js': `${asking}${counter}` })
  await notice.getByText('https://a.test was asked, and the host lets apps reach no other origin').waitFor()
  await notice.getByText('"connect_src": ["https://a.test"]').waitFor()
  shell().app.put('main.js', `${counter}\nlocalStorage.setItem('clicks', clicks)\n`)
  await notice.getByText('an app in a window has no localStorage: keep values with svc.storage').waitFor()
  await inside.getByRole('button').waitFor()
})

verifies('hmr.policy', 'loosens nothing of the policy but the one socket of Vite', async () => {
  const { page } = await shell().open()
  const document = page.waitForResponse((response) => response.url().includes('/index.html?window='))
  await appsOf(page).getByRole('button', { name: /^Tiny/ }).click()
  const headers = (await document).headers()
  const policy = headers['content-security-policy'] ?? ''
  const [socket = '', ...others] = policy.match(/\bwss?:\S+?(?=;| )/g) ?? []
  expect(socket).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/)
  expect(others).toEqual([])
  expect(policy).toMatch(
    /^sandbox allow-scripts allow-forms; default-src 'none'; script-src http:\S+\/ 'sha256-\S+' 'wasm-unsafe-eval'; worker-src blob: http:\S+\/; style-src /,
  )
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default;")
  const allowed = headers['connection-allowlist']?.match(/"[^"]+"/g) ?? []
  const own = new URL(shell().harness.url)
  expect(allowed.map((one) => one.slice(1, -1)).toSorted()).toEqual(
    [`http://localhost:${own.port}`, own.origin, socket.replace('ws:', 'http:')].toSorted(),
  )
})

verifies('hmr.manifest', 'takes a saved manifest, and follows modules after it', async () => {
  const { page, inside } = await openWith(files)
  await inside.getByRole('button', { name: 'one 0' }).waitFor()
  shell().app.put('public/extra.txt', 'more')
  const before = page.frames().at(-1)?.url()
  await expect.poll(() => page.frames().at(-1)?.url()).not.toBe(before)
  await inside.getByRole('button').click()
  shell().app.put('label.js', label('two'))
  await inside.getByRole('button', { name: 'two 1' }).waitFor()
})
