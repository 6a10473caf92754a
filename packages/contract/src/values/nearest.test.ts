import { expect, it } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

const names = ['origins', 'plugins', 'page', 'apps', 'limits', 'host_api', 'basePath']

it.each([
  ['origns', 'origins'],
  ['orignis', 'origins'],
  ['Origins', 'origins'],
  ['plugin', 'plugins'],
  ['host_apis', 'host_api'],
  ['basepath', 'basePath'],
  ['app', 'apps'],
  ['pgae', 'page'],
  ['nosuch', null],
  ['x', null],
  ['', null],
])('of %j the nearest is %j', (wrong, name) => {
  expect(nearest(wrong, names)).toBe(name)
})

it('says it as the end of a sentence', () => {
  expect([didYouMean('origns', names), didYouMean('nosuch', names)]).toEqual([
    '; did you mean `origins`?',
    '',
  ])
})
