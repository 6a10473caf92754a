import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { partsOf, unlinkedIn } from './mapped-files.ts'

verifies.each('wall.plugin.bounds')<[what: string, maps: string, found: [string, string, number][]]>([
  ['of nothing', '', []],
  ['of files that have a name', '1000-2000 r--p 0 fe:00 7 /lib/x\n', []],
  ['of memory that processes share', '1000-2000 rw-s 0 00:01 7 /dev/zero (deleted)\n', []],
  ['of memory of System V', '1000-2000 rw-s 0 00:01 7 /SYSV00000000 (deleted)\n', []],
  [
    'of files without one, each as far as it is mapped',
    '1000-2000 rw-s 0 fe:00 7 /a (deleted)\n3000-4000 rw-s 5000 fe:00 7 /a (deleted)\n5000-6000 rw-s 0 fe:00 8 /b c (deleted)\n',
    [
      ['7', '3000-4000', 0x6000],
      ['8', '5000-6000', 0x1000],
    ],
  ],
])('a list of mappings %s says so', (_what, maps, found) => {
  const files = [...unlinkedIn(maps)].map(([inode, { range, bytes }]) => [inode, range, bytes])
  expect(files).toEqual(found)
})

verifies(
  'wall.plugin.bounds',
  'one file in very many places is looked at once, and its list in short parts',
  () => {
    const line = (at: number) =>
      `${at.toString(16)}000-${(at + 1).toString(16)}000 rw-s 0 fe:00 7 /a (deleted)\n`
    const maps = Array.from({ length: 65_000 }, (_, at) => line(at + 1)).join('')
    expect([...unlinkedIn(maps).keys()]).toEqual(['7'])
    const parts = [...partsOf(maps)]
    expect(parts.join('')).toBe(maps)
    expect(parts.filter((part) => !part.endsWith('\n') || part.length > 33_000)).toEqual([])
    expect([...partsOf('')]).toEqual([])
  },
)
