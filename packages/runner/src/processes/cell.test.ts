import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterAll, describe, expect } from 'vitest'
import type { ProcessStart } from '../isolation/view.ts'
import { cellOf, hasWay } from './cell.ts'
import { openFolders } from './folders.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-cell-')))
mkdirSync(join(root, 'data'))
mkdirSync(join(root, 'home/state/keys'), { recursive: true })
symlinkSync(join(root, 'home'), join(root, 'alias'))
symlinkSync(join(root, 'home/state'), join(root, 'state'))
writeFileSync(join(root, 'file'), '')
const folders = openFolders(root, limits)
afterAll(async () => {
  await folders.close()
  rmSync(root, { recursive: true })
})

/** A cell of a process in a folder of its own. */
function cell(more: Partial<ProcessStart> = {}, own = folders, hidden = ['/hidden']) {
  const folder = folders.own()
  const started = { program: '/bin/sh', args: [], cwd: root, ...more }
  const bed = { folder, cache: '/cache' }
  return { folder, cell: cellOf(started, bed, { folders: own, hidden: () => hidden }, '') }
}
const broken = (what: unknown) => ({
  ...folders,
  etc() {
    throw what
  },
})

describe('the cell of a process', () => {
  verifies('wall.plugin.view', 'is its view, its own folders and what the runner hides', () => {
    const { folder, cell: made } = cell({ cwd: join(root, 'data') })
    expect(made).toEqual({
      view: expect.objectContaining({ writable: [] }),
      reached: [],
      folder,
      cache: '/cache',
      etc: folders.etc(),
      filter: folders.filter(),
      cwd: join(root, 'data'),
      installed: [],
      hidden: [],
      egress: undefined,
    })
  })

  verifies('wall.plugin.network', 'has a way out where its reach names a host, beside its folder', () => {
    const { folder, cell: made } = cell({ reach: { hosts: ['api.example.com'] } })
    expect(made).toMatchObject({ egress: `${folder}w/egress.sock` })
    expect(cell({ reach: { folders: [], hosts: [] } }).cell).toMatchObject({ egress: undefined })
  })

  verifies.each('wall.plugin.view')<[string, Partial<ProcessStart>, string, typeof folders?]>([
    ['its folder is missing', { cwd: '/no/such' }, 'it could not be started: there is no folder /no/such'],
    [
      'its folder is a file',
      { cwd: join(root, 'file') },
      `it could not be started: there is no folder ${root}/file`,
    ],
    ['the disk is full', {}, 'its isolation could not be set up: no space', broken(new Error('no space'))],
    ['something else is thrown', {}, 'its isolation could not be set up: full', broken('full')],
  ])('is not made where %s', (_name, more, problem, own) => {
    expect(cell(more, own).cell).toEqual({ problem })
  })

  verifies.each('wall.plugin.view')(['C:\\data', 'C:/data', '/no/such', '.'])(
    'is not made where %s of its reach is not on this machine',
    (path) => {
      expect(cell({ reach: { folders: [{ path, access: 'read' }] } }).cell).toEqual({
        problem: `it reaches ${path}, which is not on this machine`,
      })
    },
  )

  /** The real folder, a link to it, and as somebody may have written it. */
  const states = ['home/state', 'state', 'home//state/.'].map((path) => `${root}/${path}`)

  verifies.each('wall.plugin.view')(
    ['home', '/home', 'home/', '/home//'].flatMap((path) => states.map((state) => [path, state])),
  )('hides a folder of svc in the folder %s of its reach: %s', (path, state) => {
    const { cell: made } = cell(
      { cwd: join(root, 'data'), reach: { folders: [{ path: `${root}/${path}`, access: 'read' }] } },
      folders,
      [state],
    )
    expect(made).toMatchObject({ hidden: [join(root, path, 'state')] })
  })

  verifies('wall.plugin.view', 'hides a folder of svc in the system, and once in two that show it', () => {
    const reach: ProcessStart['reach'] = {
      folders: [
        { path: join(root, 'home'), access: 'read' },
        { path: root, access: 'read' },
      ],
    }
    const { cell: made } = cell({ reach }, folders, ['/usr/bin', join(root, 'home/state')])
    expect(made).toMatchObject({ hidden: ['/usr/bin', join(root, 'home/state')] })
  })

  verifies.each('wall.plugin.view')(
    ['home/state', 'home/state/keys', 'alias/state/keys', 'home//state/', 'state'].flatMap((path) =>
      states.map((state) => [path, state]),
    ),
  )('is not made where %s of its reach belongs to svc: %s', (path, state) => {
    const reached = `${root}/${path}`
    const reach: ProcessStart['reach'] = { folders: [{ path: reached, access: 'read' }] }
    expect(cell({ reach }, folders, [state]).cell).toEqual({
      problem: `it reaches ${reached}, which belongs to svc`,
    })
  })

  verifies.each('wall.plugin.view')(['home', 'alias', 'home/'])(
    'is not made where it may write %s, in which a folder of svc lies',
    (path) => {
      const above = `${root}/${path}`
      const reach: ProcessStart['reach'] = { folders: [{ path: above, access: 'write' }] }
      expect(cell({ reach }, folders, [join(root, 'home/state')]).cell).toEqual({
        problem: `it may write ${above}, which contains folders of svc`,
      })
    },
  )

  verifies.each('wall.plugin.view')<[string, string]>([
    ['home', 'home/later/svc'],
    ['home', 'alias/soon/svc'],
  ])('hides in the folder %s of its reach a folder of svc that comes later: %s', (path, place) => {
    const reach: ProcessStart['reach'] = { folders: [{ path: join(root, path), access: 'read' }] }
    const { cell: made } = cell({ reach, cwd: join(root, 'data') }, folders, [join(root, place)])
    const inner = place.replace(/^[a-z]+\//, '')
    expect(made).toMatchObject({ hidden: [join(root, path, inner)] })
    expect(statSync(join(root, place)).mode & 0o777).toBe(0o700)
  })

  verifies('wall.plugin.view', 'makes no folder of svc where nothing shows it', () => {
    const later = join(root, 'home/never')
    expect(cell({ cwd: join(root, 'data') }, folders, [later]).cell).toMatchObject({ hidden: [] })
    expect(existsSync(later)).toBe(false)
  })

  verifies.each('wall.plugin.view')<[string, string, RegExp]>([
    ['may be written above', 'home/none/svc', /^it may write \S+, which contains folders of svc$/],
    ['is a link without a target', 'gone', /gone is a link without a target$/],
    ['cannot be made', 'file/svc', /^its isolation could not be set up: \S+/],
  ])('is not made where a folder of svc that is not there %s', (_name, place, problem) => {
    symlinkSync('/no/such', join(root, 'gone'))
    const access = place.startsWith('home') ? 'write' : 'read'
    const path = place.startsWith('home') ? join(root, 'home') : root
    const { cell: made } = cell({ reach: { folders: [{ path, access }] } }, folders, [join(root, place)])
    expect(made).toMatchObject({ problem: expect.stringMatching(problem) })
    rmSync(join(root, 'gone'))
  })

  verifies(
    'wall.plugin.view',
    'is not made where a folder of its reach is a link to one of the system',
    () => {
      const path = join(root, 'system')
      symlinkSync('/usr/lib', path)
      expect(cell({ reach: { folders: [{ path, access: 'read' }] } }).cell).toEqual({
        problem: `it reaches ${path}, which is ${realpathSync('/usr/lib')}, a folder of the system`,
      })
    },
  )

  verifies.each('wall.plugin.view')(['alias', 'alias/', 'alias/state', 'state'])(
    'is not made where %s of its reach is, or lies below, a link',
    (path) => {
      const reached = `${root}/${path}`
      const reach: ProcessStart['reach'] = { folders: [{ path: reached, access: 'read' }] }
      expect(cell({ reach }).cell).toEqual({
        problem: `it reaches ${reached} over a link: name ${realpathSync(reached)}, where that leads`,
      })
    },
  )

  verifies('wall.plugin.view', 'knows of each folder of its reach which one was judged', () => {
    const path = join(root, 'data')
    const { dev, ino } = statSync(path)
    expect(cell({ reach: { folders: [{ path, access: 'read' }] } }).cell).toMatchObject({
      reached: [{ path, identity: `${dev}:${ino}` }],
    })
  })

  verifies('wall.plugin.view', 'is made where each folder of its reach is there', () => {
    const path = join(root, 'data')
    expect(cell({ reach: { folders: [{ path, access: 'write' }] } }).cell).toMatchObject({
      view: { writable: [path] },
    })
  })
})

verifies.each('wall.plugin.network')([
  [undefined, false],
  [{}, false],
  [{ hosts: [] }, false],
  [{ hosts: ['api.example.com'] }, true],
])('the reach %j has hosts: %s', (reach, has) => {
  expect(hasWay(reach === undefined ? {} : { reach })).toBe(has)
})
