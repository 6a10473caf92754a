import { globSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { makeTinyApp, type TinyApp } from '../testing/tiny-app.ts'
import { buildAgain, watchBundle } from './build.ts'
import { readProject } from './project.ts'

let app: TinyApp
beforeEach(() => {
  app = makeTinyApp('export const svc = {}')
})
afterEach(() => app.remove())

const built = () =>
  globSync('dist/assets/*.js', { cwd: app.dir })
    .map((file) => readFileSync(path.join(app.dir, file), 'utf8'))
    .join('')

describe('an app that is built again', () => {
  const build = () => buildAgain(readProject(app.dir))
  /** The files of the bundle, each with what changes where it is written or replaced. */
  const files = () =>
    globSync('dist/**', { cwd: app.dir })
      .sort()
      .map((file) => {
        const { ino, mtimeMs } = statSync(pathOf(file))
        return `${file} ${ino} ${mtimeMs}`
      })

  it('leaves each file alone that stays the same, for whoever reads it meanwhile', async () => {
    expect(await build()).toBeNull()
    const before = files()
    expect(before).toHaveLength(5)
    expect(await build()).toBeNull()
    expect(files()).toEqual(before)
  })

  it('has the files of its sources, and no others', async () => {
    await build()
    const names = globSync('dist/**', { cwd: app.dir })
    app.greet('Changed')
    for (const name of ['dist/old.js', 'dist/old/old.js', 'dist/index.html/old.js']) {
      if (name.startsWith('dist/index.html')) rmSync(pathOf('dist/index.html'))
      mkdirSync(path.dirname(pathOf(name)), { recursive: true })
      app.put(name, 'old')
    }
    expect(await build()).toBeNull()
    expect(built()).toContain('Changed')
    expect(globSync('dist/**', { cwd: app.dir })).toHaveLength(names.length)
    expect(globSync('node_modules/.svc-build-*', { cwd: app.dir })).toEqual([])
  })

  it('is rid of what a build left that was ended long ago, and leaves one alone that may be at work', async () => {
    const folders = ['node_modules/.svc-build-old', 'node_modules/.svc-build-new']
    for (const name of folders) mkdirSync(pathOf(name), { recursive: true })
    const longAgo = new Date('2001-01-01')
    utimesSync(pathOf('node_modules/.svc-build-old'), longAgo, longAgo)
    expect(await build()).toBeNull()
    expect(globSync('node_modules/.svc-build-*', { cwd: app.dir })).toEqual(['node_modules/.svc-build-new'])
  })

  it('stays as it was where the build fails', async () => {
    await build()
    const before = files()
    app.put('greeting.js', 'export const greeting = {{')
    expect(await build()).toBeInstanceOf(Error)
    expect(files()).toEqual(before)
    expect(globSync('node_modules/.svc-build-*', { cwd: app.dir })).toEqual([])
  })
})

/** Has each turn of the build write what the app is to greet with, after the bundler has read it; the last stays. */
function saveInTurns(...sources: readonly string[]): void {
  // Nothing is watched yet by then.
  app.put(
    'vite.config.js',
    `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
    const [file, turns] = ${JSON.stringify([pathOf('greeting.js'), pathOf('turns')])}
    const sources = ${JSON.stringify(sources)}
    function buildEnd() {
      appendFileSync(turns, '.')
      const source = sources[readFileSync(turns).length - 1]
      if (source !== undefined) writeFileSync(file, source)
    }
    export default { plugins: [{ name: 'save', buildEnd }] }`,
  )
}
const pathOf = (name: string) => path.join(app.dir, name)
const turns = () => readFileSync(pathOf('turns')).length
const greeting = (text: string) => `export const greeting = '${text}'`

/** Watches the app; returns what it tells after that. */
async function watch() {
  const told = { built: [] as unknown[], unsettled: 0 }
  const watching = await watchBundle(
    readProject(app.dir),
    (error) => void told.built.push(error),
    () => void told.unsettled++,
  )
  onTestFinished(() => watching.close())
  return told
}

it('has in its first build what was saved after the bundler had read it', async () => {
  saveInTurns(greeting('Changed'))
  const told = await watch()
  expect(built()).toContain('Changed')
  expect([turns(), told]).toEqual([2, { built: [], unsettled: 0 }])
})

it('builds once, whatever the times of its files', async () => {
  saveInTurns()
  const ahead = new Date('2999-01-01')
  for (const name of ['greeting.js', 'public/manifest.json']) utimesSync(pathOf(name), ahead, ahead)
  const told = await watch()
  expect([turns(), told]).toEqual([1, { built: [], unsettled: 0 }])
})

it('watches on, and tells it, where what was saved meanwhile cannot be built', async () => {
  saveInTurns('export const greeting = {{')
  const told = await watch()
  expect(told).toEqual({ built: [expect.any(Error)], unsettled: 0 })
  app.greet('Corrected')
  await expect.poll(built).toContain('Corrected')
})

it('says where files were saved during each of its first builds', async () => {
  saveInTurns(...['One', 'Two', 'Three'].map(greeting))
  const told = await watch()
  expect(built()).toContain('Two')
  expect([turns(), told]).toEqual([3, { built: [], unsettled: 1 }])
})
