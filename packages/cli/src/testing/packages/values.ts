import { type PackageRow, row } from './package-row.ts'

const LEFT = 'https://other.test/'

/** Packages of values: storage, languages, texts, and what asks servers. */
export const values: readonly PackageRow[] = [
  row(
    { zustand: '5.1.0' },
    `import { createStore } from 'zustand/vanilla'
     import { createJSONStorage, persist } from 'zustand/middleware'
     import { svc } from '@svc/sdk'
     const storage = createJSONStorage(() => ({
       getItem: async (key) => (await svc.storage.get({ key })).value ?? null,
       setItem: (key, value) => svc.storage.set({ key, value }),
       removeItem: (key) => svc.storage.delete({ key }),
     }))
     run(async () => {
       const store = createStore(persist(() => ({ n: 1 }), { name: 'own', storage }))
       store.setState({ n: 2 })
       const plain = createStore(persist(() => ({ n: 1 }), { name: 'plain' }))
       const said = await (async () => plain.setState({ n: 2 }))().catch(({ message }) => message)
       await until(() => svc.storage.get({ key: 'own' }).then(({ value }) => value?.includes('2')))
       return [store.getState().n, plain.getState().n, said]
     })`,
    {
      result: [2, 2, 'an app in a window has no localStorage: keep values with svc.storage'],
      note: '`persist` needs a storage of `svc.storage`',
    },
  ),
  row(
    { localforage: '1.10.0' },
    `import localforage from 'localforage'
     run(async () => await localforage.setItem('a', 1).then(() => 'kept', (error) => error.name || String(error)))`,
    { result: 'Error', note: 'nothing is kept: use `svc.storage`' },
  ),
  row(
    { idb: '8.0.4' },
    `import { openDB } from 'idb'
     run(async () => { try { await openDB('a', 1); return 'opened' } catch (error) { return error.name } })`,
    { result: 'SecurityError', note: 'there is no IndexedDB: use `svc.storage`, or files' },
  ),
  row(
    { 'js-cookie': '3.0.8' },
    `import Cookies from 'js-cookie'
     run(async () => { try { Cookies.set('a', '1'); return Cookies.get('a') ?? 'nothing' } catch (error) { return error.name } })`,
    { result: 'SecurityError', note: 'there are no cookies: use `svc.storage`' },
  ),
  row(
    { i18next: '27.1.5', 'i18next-browser-languagedetector': '8.3.0' },
    `import i18next from 'i18next'
     import LanguageDetector from 'i18next-browser-languagedetector'
     run(async () => {
       await i18next.use(LanguageDetector).init({ fallbackLng: 'en', resources: { en: { translation: { hi: 'Hello' } }, de: { translation: { hi: 'Hallo' } } } })
       await i18next.changeLanguage('de')
       return i18next.t('hi')
     })`,
    { result: 'Hallo', note: 'the choice of a language is not kept: use `svc.storage`' },
  ),
  row(
    { axios: '1.21.1' },
    `import axios from 'axios'
     run(async () => [(await axios.get('data.json')).data.own, await axios.get('${LEFT}').catch(({ code }) => code)])`,
    {
      files: { 'public/data.json': '{"own":true}' },
      result: [true, 'ERR_NETWORK'],
      says: /^(connect-src refused https:\/\/other\.test\S*)?$/,
      note: 'own files; other origins need `csp.connect_src`, or `svc.web`',
    },
  ),
  row(
    { 'socket.io-client': '4.8.4' },
    `import { io } from 'socket.io-client'
     run(() => new Promise((done) => io('${LEFT}', { reconnection: false }).on('connect_error', ({ message }) => done(message))))`,
    {
      result: 'xhr poll error',
      says: /connect-src refused https:\/\/other\.test/,
      note: 'needs the origin of its server in `csp.connect_src`',
    },
  ),
  row(
    { marked: '18.2.1', dompurify: '3.5.0' },
    `import DOMPurify from 'dompurify'
     import { marked } from 'marked'
     run(async () => {
       document.querySelector('main').innerHTML = DOMPurify.sanitize(marked.parse('# Hi\\n<img src=x onerror=alert(1)> [link](https://a.test)'))
       return [document.querySelector('h1').textContent, document.querySelector('img').hasAttribute('onerror')]
     })`,
    { result: ['Hi', false] },
  ),
  row(
    { 'htmx.org': '4.0.1' },
    `import htmx from 'htmx.org'
     run(async () => {
       document.querySelector('main').innerHTML = '<button hx-get="part.html" hx-target="#to">x</button><p id="to"></p>'
       htmx.process(document.querySelector('main')); document.querySelector('button').click()
       await until(() => document.querySelector('#to b'))
       return document.querySelector('#to b').textContent
     })`,
    { files: { 'public/part.html': '<b>part</b>' }, result: 'part' },
  ),
  row(
    { alpinejs: '3.17.5' },
    `import Alpine from 'alpinejs'
     run(async () => {
       document.querySelector('main').innerHTML = '<div x-data="{ n: 41 }"><p x-text="n + 1"></p></div>'
       Alpine.start()
       await new Promise((done) => setTimeout(done, 100))
       return document.querySelector('p').textContent
     })`,
    { result: '', says: /eval|Script error/, note: 'its expressions are run as code: use `@alpinejs/csp`' },
  ),
  row(
    { '@alpinejs/csp': '3.17.4' },
    `import Alpine from '@alpinejs/csp'
     run(async () => {
       document.querySelector('main').innerHTML = '<div x-data="counter"><button x-on:click="add"></button><p x-text="n"></p></div>'
       Alpine.data('counter', () => ({ n: 41, add() { this.n++ } }))
       Alpine.start(); document.querySelector('button').click()
       await until(() => document.querySelector('p').textContent === '42')
       return document.querySelector('p').textContent
     })`,
    { result: '42' },
  ),
]
