import path from 'node:path'
import ts from 'typescript'
import { expect } from 'vitest'
import { verifies } from '../packages/conformance/src/verifies.ts'
import { typeErrors } from './testing/snippets.ts'

const types = (name: string, from: string) => ({ [name]: [path.resolve(from)] })
const nothing = path.resolve('scripts/testing/no-such-package')
/** What the workspace has elsewhere, and a page without it has not. */
const without = (...names: string[]) => Object.fromEntries(names.map((name) => [name, [nothing]]))
const react18 = types('react', 'packages/react/oldest/node_modules/@types/react/index.d.ts')
const jsx18 = types('react/jsx-runtime', 'packages/react/oldest/node_modules/@types/react/jsx-runtime.d.ts')
const react19 = {
  ...types('react', 'packages/react/node_modules/@types/react/index.d.ts'),
  ...types('react/jsx-runtime', 'packages/react/node_modules/@types/react/jsx-runtime.d.ts'),
}
const common = 'app-id="a" view="v" window-uuid="w" id="a" data-a="1"'
const wrong = expect.stringContaining("Type 'number' is not assignable to type 'string'.")

interface Row {
  readonly framework: string
  readonly options: ts.CompilerOptions
  readonly text: string
  readonly errors?: readonly string[]
}

const rows: readonly Row[] = [
  {
    framework: 'none',
    options: { paths: without('react', 'vue') },
    text: `export const id: string | null | undefined = document.querySelector('svc-window')?.appId`,
  },
  {
    framework: 'React 18.0',
    options: { paths: { ...react18, ...jsx18 } },
    text: `import { createRef } from 'react'
      import { SvcWindow } from '@svc/react/window'
      const ref = createRef<SvcWindowElement>()
      export const all = [
        <svc-window ref={ref} key="k" class="win" keep ${common} style={{ width: 1 }} onClick={(e) => e.clientX} />,
        <SvcWindow ref={ref} appId="a" className="win" tabIndex={0} aria-label="a" onClick={(e) => e.currentTarget.appId} />,
        <div />,
        <svc-window app-id={1} />,
        <svc-window keep={false} />,
      ]`,
    errors: [wrong, "Type 'false' is not assignable to type 'true'."],
  },
  {
    framework: 'React 19',
    options: { paths: react19 },
    text: `import { createRef } from 'react'
      import { SvcWindow } from '@svc/react/window'
      const ref = createRef<SvcWindowElement>()
      export const all = [
        <svc-window ref={ref} key="k" className="win" keep={false} ${common} payload={{ a: 1 }} />,
        <svc-window ref={(element: SvcWindowElement | null) => element?.reload()} ontitle={({ detail }) => detail.title.length} />,
        <SvcWindow ref={ref} appId="a" className="win" tabIndex={0} aria-label="a" onClose={(reason) => reason?.length} />,
        <div />,
        <svc-window app-id={1} />,
        <SvcWindow appId="a">words</SvcWindow>,
      ]`,
    errors: [wrong, expect.stringContaining("'children' does not exist")],
  },
  {
    framework: 'Preact',
    options: { jsxImportSource: 'preact' },
    text: `export const all = [
        <svc-window class="win" keep={false} ${common} ref={(element: SvcWindowElement | null) => element?.reload()} ontitle={({ detail }) => detail.title.length} />,
        <div />,
        <svc-window app-id={1} />,
      ]`,
    errors: [wrong],
  },
  {
    framework: 'Solid',
    options: { jsx: ts.JsxEmit.Preserve, jsxImportSource: 'solid-js' },
    text: `let element!: SvcWindowElement
      export const all = [
        <svc-window class="win" ${common} ref={element} on:title={({ detail }) => detail.title.length} />,
        <div />,
        <svc-window app-id={1} />,
      ]`,
    errors: [wrong],
  },
  {
    framework: 'Vue',
    options: { paths: types('vue', 'node_modules/vue/dist/vue.d.mts') },
    text: `import type { GlobalComponents } from 'vue'
      type Props = InstanceType<GlobalComponents['svc-window']>['$props']
      export const all: Props[] = [
        { 'app-id': 'a', appId: 'a', class: ['win'], onTitle: ({ detail }) => detail.title.length, onClick: (e) => e.clientX },
        { 'app-id': 1 },
      ]`,
    errors: [wrong],
  },
  {
    framework: 'Svelte',
    options: { types: [path.resolve('packages/svelte/node_modules/svelte/svelte-html.d.ts')] },
    text: `svelteHTML.createElement('svc-window', {
        'app-id': 'a', class: 'win', payload: { a: 1 }, ontitle: ({ detail }) => detail.title.length, onclick: (e) => e.clientX,
      })
      svelteHTML.createElement('svc-window', { 'app-id': 1 })`,
    errors: [wrong],
  },
]

verifies.each('bindings.element.types')(rows)(
  'the element of $framework',
  ({ framework, options, text, errors = [] }) => {
    const file = path.resolve(`packages/bridge/src/in-${framework.replaceAll(/\W/g, '-')}.tsx`)
    const used = `import type { SvcWindowElement } from '@svc/bridge/element'\n${text}\nexport type Used = SvcWindowElement`
    const [told = []] = typeErrors(new Map([[file, used]]), options)
    expect(told).toEqual(errors)
  },
)
