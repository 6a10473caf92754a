import { type PackageRow, row } from './package-row.ts'

const react = { react: '19.3.1', 'react-dom': '19.3.1' }

/** Renders an element of React, and waits until it is in the document. */
const render = `import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
const root = createRoot(document.querySelector('main'))
const render = async (element) => { root.render(element); await until(() => document.querySelector('main').children.length > 0) }
`

/** Packages of pages: frameworks, routers, forms, editors and styles. */
export const pages: readonly PackageRow[] = [
  row(
    { codemirror: '6.0.2' },
    `import { basicSetup, EditorView } from 'codemirror'
     run(async () => {
       const view = new EditorView({ doc: 'one\\ntwo', extensions: basicSetup, parent: document.querySelector('main') })
       view.dispatch({ changes: { from: 0, insert: 'zero\\n' } })
       return [view.state.doc.lines, getComputedStyle(view.scrollDOM).display]
     })`,
    { result: [3, 'flex'] },
  ),
  row(
    { leaflet: '1.9.4' },
    `import L from 'leaflet'
     import 'leaflet/dist/leaflet.css'
     run(async () => {
       document.querySelector('main').style.height = '200px'
       const map = L.map(document.querySelector('main')).setView([0, 0], 1)
       L.circleMarker([0, 0]).addTo(map).bindPopup('<b>here</b>').openPopup()
       L.tileLayer('tile.svg').addTo(map)
       await until(() => document.querySelector('.leaflet-tile-loaded'))
       return document.querySelector('.leaflet-popup-content b').textContent
     })`,
    {
      files: { 'public/tile.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"/>' },
      result: 'here',
      note: 'tiles of a server need its origin in `csp.img_src`',
    },
  ),
  row(
    { 'react-hook-form': '7.92.0', ...react },
    `${render}import { useForm } from 'react-hook-form'
     run(async () => {
       const done = Promise.withResolvers()
       const Form = () => {
         const { register, handleSubmit } = useForm({ defaultValues: { name: 'Ada' } })
         return h('form', { onSubmit: handleSubmit(done.resolve) }, h('input', register('name', { required: true })), h('button'))
       }
       await render(h(Form)); document.querySelector('button').click()
       return (await done.promise).name
     })`,
    { result: 'Ada' },
  ),
  row(
    { '@mantine/core': '9.8.1', '@mantine/hooks': '9.8.1', ...react },
    `${render}import { Button, MantineProvider, Select } from '@mantine/core'
     import '@mantine/core/styles.css'
     run(async () => {
       await render(h(MantineProvider, { defaultColorScheme: 'auto' }, h(Button, null, 'Press'), h(Select, { data: ['a', 'b'] })))
       await until(() => document.querySelector('button'))
       return getComputedStyle(document.querySelector('button')).backgroundColor
     })`,
    { result: 'rgb(34, 139, 230)' },
  ),
  row(
    { '@emotion/react': '11.14.0', '@emotion/styled': '11.14.1', ...react },
    `${render}import styled from '@emotion/styled'
     const Red = styled.p\`color: rgb(255, 0, 0)\`
     run(async () => { await render(h(Red)); return getComputedStyle(document.querySelector('p')).color })`,
    { result: 'rgb(255, 0, 0)' },
  ),
  row(
    { 'styled-components': '6.6.0', ...react },
    `${render}import { styled } from 'styled-components'
     const Red = styled.p\`color: rgb(255, 0, 0)\`
     run(async () => { await render(h(Red)); return getComputedStyle(document.querySelector('p')).color })`,
    { result: 'rgb(255, 0, 0)' },
  ),
  row(
    { '@tanstack/react-router': '1.170.46', ...react },
    `${render}import { createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider } from '@tanstack/react-router'
     const top = createRootRoute({ component: () => h('div', null, h(Link, { to: '/two', search: { q: 1 } }, 'two'), h(Outlet)) })
     const index = createRoute({ getParentRoute: () => top, path: '/', component: () => h('p', null, 'one') })
     const two = createRoute({ getParentRoute: () => top, path: '/two', component: () => h('p', null, 'two') })
     run(async () => {
       const basepath = new URL('.', location.href).pathname
       const router = createRouter({ routeTree: top.addChildren([index, two]), basepath })
       await render(h(RouterProvider, { router }))
       await router.navigate({ to: '/' })
       await until(() => document.querySelector('p')?.textContent === 'one')
       document.querySelector('a').click()
       await until(() => document.querySelector('p')?.textContent === 'two')
       return location.href.endsWith('/two?q=1')
     })`,
    {
      lacks: { webkit: false },
      note: 'in Safari the address stays as it is: its pages work, and are not kept by a reload',
    },
  ),
  row(
    { 'react-router': '8.5.3', ...react },
    `${render}import { BrowserRouter, HashRouter, Link, Route, Routes } from 'react-router'
     const pages = [h(Link, { to: '/two', key: 1 }, 'go'),
       h(Routes, { key: 2 }, h(Route, { path: '/two', element: h('p', null, 'two') }), h(Route, { path: '*', element: h('p', null, 'one') }))]
     const goes = async (router) => {
       root.render(null)
       await until(() => !document.querySelector('p'))
       await render(router)
       await until(() => document.querySelector('p')?.textContent === 'one')
       document.querySelector('a').click()
       const isTwo = () => document.querySelector('p')?.textContent === 'two'
       await Promise.race([until(isTwo), new Promise((done) => setTimeout(done, 1_000))])
       if (!isTwo()) return false
       history.back()
       await until(() => document.querySelector('p')?.textContent === 'one')
       return true
     }
     run(async () => [await goes(h(BrowserRouter, { basename: new URL('.', location.href).pathname }, pages)), await goes(h(HashRouter, null, pages))])`,
    {
      result: [true, true],
      lacks: { webkit: [false, true] },
      note: 'in Safari a `BrowserRouter` stays on its first page: use `HashRouter`, which works in all browsers',
    },
  ),
  row(
    { 'vue-router': '5.5.1', vue: '3.5.45' },
    `import { createApp, h } from 'vue'
     import { createRouter, createWebHistory, RouterView } from 'vue-router'
     run(async () => {
       const page = (text) => ({ render: () => h('p', text) })
       const routes = [{ path: '/two', component: page('two') }, { path: '/:rest(.*)', component: page('one') }]
       const router = createRouter({ history: createWebHistory(new URL('.', location.href).pathname), routes })
       createApp({ render: () => h(RouterView) }).use(router).mount('main')
       await router.isReady()
       await router.push('/two')
       return document.querySelector('p').textContent
     })`,
    { result: 'two' },
  ),
]
