import { wav } from '@svc/conformance/testing/wav'
import { type PackageRow, row } from './package-row.ts'
import { pdf } from './pdf.ts'

/** Packages that compute, draw and play: WebAssembly, workers, canvas, sound, fonts. */
export const engines: readonly PackageRow[] = [
  row(
    { 'sql.js': '1.17.0' },
    `import initSqlJs from 'sql.js'
     import wasm from 'sql.js/dist/sql-wasm.wasm?url'
     run(async () => {
       const { Database } = await initSqlJs({ locateFile: () => wasm })
       const db = new Database()
       db.run('create table t (n)'); db.run('insert into t values (20), (22)')
       return db.exec('select sum(n) from t')[0].values[0][0]
     })`,
    { result: 42 },
  ),
  row(
    { '@sqlite.org/sqlite-wasm': '3.41.2' },
    `run(() => new Promise((done) => {
       const worker = new Worker(new URL('./db.js', import.meta.url), { type: 'module' })
       worker.onmessage = ({ data }) => done(data)
       worker.onerror = ({ message }) => done(message)
     }))`,
    {
      files: {
        'db.js': `import sqlite3InitModule from '@sqlite.org/sqlite-wasm'
          const { oo1 } = await sqlite3InitModule()
          const db = new oo1.DB(':memory:')
          postMessage(db.selectValue('select 40 + 2'))`,
      },
      result: 42,
      note: 'in memory; its files in OPFS are not there',
    },
  ),
  row(
    { 'pdfjs-dist': '6.5.438' },
    `import { getDocument, GlobalWorkerOptions } from 'pdfjs-dist'
     import workerSrc from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
     GlobalWorkerOptions.workerSrc = workerSrc
     run(async () => {
       const { promise } = getDocument({ url: 'hello.pdf' })
       const page = await (await promise).getPage(1)
       const canvas = document.body.appendChild(document.createElement('canvas'))
       await page.render({ canvas, viewport: page.getViewport({ scale: 1 }) }).promise
       const { items } = await page.getTextContent()
       const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
       return [items.map(({ str }) => str).join(''), data.some((value, at) => at % 4 < 3 && value < 128)]
     })`,
    { files: { 'public/hello.pdf': pdf }, result: ['Hello', true] },
  ),
  row(
    { comlink: '4.4.2' },
    `import { proxy, wrap } from 'comlink'
     run(async () => {
       const api = wrap(new Worker(new URL('./api.js', import.meta.url), { type: 'module' }))
       const told = []
       return [await api.add(40, 2, proxy((text) => told.push(text))), told]
     })`,
    {
      files: {
        'api.js': `import { expose } from 'comlink'
          expose({ async add(a, b, tell) { await tell('adds'); return a + b } })`,
      },
      result: [42, ['adds']],
    },
  ),
  row(
    { three: '0.187.0' },
    `import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, WebGLRenderer } from 'three'
     run(async () => {
       const probe = document.createElement('canvas').getContext('webgl2')
       if (!probe) return 'no WebGL in this browser'
       const renderer = new WebGLRenderer({ preserveDrawingBuffer: true }); renderer.setSize(64, 64)
       document.body.append(renderer.domElement)
       const scene = new Scene(), camera = new PerspectiveCamera(); camera.position.z = 2
       scene.add(new Mesh(new BoxGeometry(), new MeshBasicMaterial({ color: 0xff0000 })))
       renderer.render(scene, camera)
       const pixel = new Uint8Array(4), gl = renderer.getContext()
       gl.readPixels(32, 32, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel)
       return pixel[0] > 128
     })`,
    { lacks: { firefox: 'no WebGL in this browser', webkit: 'no WebGL in this browser' } },
  ),
  row(
    { 'chart.js': '4.6.1' },
    `import Chart from 'chart.js/auto'
     run(async () => {
       const canvas = document.body.appendChild(document.createElement('canvas'))
       const chart = new Chart(canvas, { type: 'bar', options: { animation: false }, data: { labels: ['a', 'b'], datasets: [{ data: [1, 2] }] } })
       return chart.toBase64Image().length > 1000
     })`,
  ),
  row(
    { d3: '7.9.2' },
    `import * as d3 from 'd3'
     run(async () => {
       const rows = d3.csvParseRows(await d3.text('rows.csv'))
       const bars = d3.select('main').append('svg').selectAll('rect').data(rows).join('rect').attr('width', ([n]) => n)
       d3.select('main').append('svg').call(d3.axisBottom(d3.scaleLinear([0, 1], [0, 100])))
       const byName = await d3.csv('rows.csv').then(() => 'read', ({ name }) => name)
       return [...[...document.querySelectorAll('rect')].map((bar) => bar.getAttribute('width')), byName]
     })`,
    {
      files: { 'public/rows.csv': '1\n2\n' },
      result: ['1', '2', 'EvalError'],
      says: /^(script-src refused eval)?$/,
      note: '`d3.csv` and `csvParse` make their readers by `new Function`: use `csvParseRows`',
    },
  ),
  row(
    { howler: '2.2.4' },
    `import { Howl } from 'howler'
     const load = (html5) => new Promise((done, fail) => {
       const sound = new Howl({ src: ['tone.wav'], html5, onload: () => done(Math.round(sound.duration())), onloaderror: (_, error) => fail(error) })
     })
     run(async () => [await load(false), await load(true)])`,
    { files: { 'public/tone.wav': wav() }, result: [1, 1] },
  ),
  row(
    { tone: '15.5.44' },
    `import { BitCrusher, Player, getContext } from 'tone'
     run(async () => {
       const crusher = new BitCrusher(4).toDestination()
       const player = new Player('tone.wav').connect(crusher)
       await new Promise((done, fail) => player.load('tone.wav').then(done, fail))
       await new Promise((done) => setTimeout(done, 300))
       return Math.round(player.buffer.duration)
     })`,
    {
      files: { 'public/tone.wav': wav() },
      result: 1,
      says: /worklets of a blob: or data: URL/,
      note: 'without its effects that are AudioWorklets, such as BitCrusher: it makes them of `blob:` URLs',
    },
  ),
  row(
    { 'lottie-web': '5.13.0' },
    `import lottie from 'lottie-web'
     run(() => new Promise((done, fail) => {
       const animation = lottie.loadAnimation({ container: document.querySelector('main'), renderer: 'svg', autoplay: true, loop: false, path: 'box.json' })
       animation.addEventListener('DOMLoaded', () => done(document.querySelectorAll('main svg path').length > 0))
       animation.addEventListener('data_failed', () => fail(new Error('no data')))
     }))`,
    {
      files: {
        'public/box.json': JSON.stringify({
          v: '5.7.0',
          fr: 30,
          ip: 0,
          op: 30,
          w: 100,
          h: 100,
          assets: [],
          layers: [
            {
              ty: 4,
              ip: 0,
              op: 30,
              st: 0,
              ks: { o: { k: 100 }, r: { k: 0 }, p: { k: [50, 50] }, a: { k: [0, 0] }, s: { k: [100, 100] } },
              shapes: [
                { ty: 'rc', d: 1, s: { k: [40, 40] }, p: { k: [0, 0] }, r: { k: 0 } },
                { ty: 'fl', c: { k: [1, 0, 0, 1] }, o: { k: 100 } },
              ],
            },
          ],
        }),
      },
      note: 'without expressions, which need eval',
    },
  ),
  row(
    { katex: '0.19.1' },
    `import katex from 'katex'
     import 'katex/dist/katex.min.css'
     run(async () => {
       katex.render('x^2', document.querySelector('main'))
       return (await document.fonts.load('italic 16px KaTeX_Math')).length
     })`,
    { result: 1 },
  ),
  row(
    { '@fontsource/inter': '5.3.0' },
    `import '@fontsource/inter'
     run(async () => (await document.fonts.load('16px Inter')).length > 0)`,
  ),
  row(
    { papaparse: '5.5.3' },
    `import Papa from 'papaparse'
     run(async () => {
       const rows = []
       await new Promise((done, error) => Papa.parse('a,b\\n1,2\\n3,4', { worker: true, step: ({ data }) => rows.push(data), complete: done, error }))
       const file = await new Promise((done, error) => Papa.parse('rows.csv', { download: true, complete: ({ data }) => done(data.length), error }))
       return [rows, file]
     })`,
    {
      files: { 'public/rows.csv': 'n\n1\n2' },
      result: [
        [
          ['a', 'b'],
          ['1', '2'],
          ['3', '4'],
        ],
        3,
      ],
    },
  ),
  row(
    { jszip: '3.10.2' },
    `import JSZip from 'jszip'
     run(async () => {
       const zip = new JSZip(); zip.file('a.txt', 'hello')
       return await (await JSZip.loadAsync(await zip.generateAsync({ type: 'blob', compression: 'DEFLATE' }))).file('a.txt').async('string')
     })`,
    { result: 'hello' },
  ),
  row(
    { xlsx: '0.18.5' },
    `import { read, utils, write } from 'xlsx'
     run(async () => {
       const book = utils.book_new(); utils.book_append_sheet(book, utils.aoa_to_sheet([['n'], [42]]), 's')
       const bytes = write(book, { type: 'array', bookType: 'xlsx' })
       return utils.sheet_to_json(read(bytes).Sheets.s)[0].n
     })`,
    { result: 42 },
  ),
]
