import { job as table } from '@svc/contract/states'
import { replaceEqualDeep } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { atlas } from '../testing/app.ts'
import { after, jobOf, told } from '../testing/job.ts'
import { newsSentence } from './gather-news.ts'
import { appOf, isActive, type Job, jobStates } from './job.ts'
import { activeCount, jobNews, noJobs, someEnded, takeJobs } from './jobs.ts'

const page = (jobs: readonly Job[], truncated = false) => ({ jobs: [...jobs], truncated })
const take = (jobs: readonly Job[], before = noJobs, truncated = false) =>
  takeJobs(
    before,
    page(jobs.filter(isActive)),
    page(
      jobs.filter((job) => !isActive(job)),
      truncated,
    ),
  )
const ids = ({ list }: { readonly list: readonly Job[] }) => list.map(({ jobId }) => Number(jobId.slice(-3)))
const apps = [atlas]

it('has a row for each state of the table', () => {
  expect(Object.keys(jobStates).sort()).toEqual([...table.states].sort())
})

it.each([
  ['app-1', 'Atlas'],
  ['app-9', 'app-9'],
])('names the app of %s', (app_id, name) => {
  expect(appOf({ app_id }, apps).name).toBe(name)
})

describe('takeJobs', () => {
  it('puts the active ones first, and the newest of each part', () => {
    const jobs = take([
      jobOf(1, { state: 'succeeded' }),
      jobOf(2),
      jobOf(3, { state: 'failed' }),
      jobOf(4, { state: 'queued' }),
      jobOf(5, { createdAt: after(2) }),
    ])
    expect(ids(jobs)).toEqual([4, 5, 2, 3, 1])
    expect(activeCount(jobs)).toBe(3)
  })

  it('forgets what the host has forgotten', () => {
    expect(ids(take([jobOf(2)], take([jobOf(1), jobOf(2), jobOf(3, { state: 'failed' })])))).toEqual([2])
  })

  it('keeps the ended ones where only the active ones were asked for', () => {
    const before = take([jobOf(1), jobOf(2, { state: 'succeeded' })], noJobs, true)
    const after = takeJobs(before, page([jobOf(1)]), null)
    expect(ids(after)).toEqual([1, 2])
    expect(after.truncated).toBe(true)
  })

  it('believes the end of a job that was told as active and as ended', () => {
    const both = takeJobs(noJobs, page([jobOf(1)]), page([jobOf(1, { state: 'succeeded' })]))
    expect(both.list.map(({ state }) => state)).toEqual(['succeeded'])
  })

  it('gives the same object for what has not changed', () => {
    const before = take([jobOf(1), jobOf(2, { state: 'succeeded' })])
    const next = take([jobOf(1, { lastSeq: 1 }), jobOf(2, { state: 'succeeded' })], before)
    const now = replaceEqualDeep(before, next)
    expect([now.list[0] === before.list[0], now.list[1] === before.list[1]]).toEqual([false, true])
  })

  it('remembers progress that the host does not tell again', () => {
    const first = take([jobOf(1, { progress: told({ percent: 1 }, 'a'), lastSeq: 2 })])
    const now = take([jobOf(1, { progress: [{ seq: 3, type: 'log', data: 'b' }], lastSeq: 3 })], first)
    expect(now.list[0]?.progress.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('sees that a job is active no more', () => {
    const before = take([jobOf(1), jobOf(2), jobOf(3, { state: 'failed' })])
    expect(someEnded(before, { jobs: [jobOf(1), jobOf(2)], truncated: false })).toBe(false)
    expect(someEnded(before, { jobs: [jobOf(1)], truncated: false })).toBe(true)
  })
})

describe('jobNews', () => {
  const before = take([jobOf(1), jobOf(2)])
  it.each([
    ['a new job', [jobOf(1), jobOf(2), jobOf(3, { state: 'queued' })], ['index of Atlas waits in the queue']],
    ['an end', [jobOf(1), jobOf(2, { state: 'failed' })], ['index of Atlas failed']],
    ['progress', [jobOf(1, { lastSeq: 9 }), jobOf(2)], []],
    ['a job that is forgotten', [jobOf(1)], ['index of Atlas is no longer known to the host']],
  ])('tells of %s', (_, jobs, sentences) => {
    expect([...jobNews(before, take(jobs, before), apps).values()]).toEqual(sentences)
  })

  it('says nothing of a job behind the end of a cut one', () => {
    expect(jobNews(before, take([jobOf(1)], before, true), apps).size).toBe(0)
  })

  it.each([
    [['a'], 'a'],
    [['a', 'b', 'c'], 'a; b; c'],
    [['a', 'b', 'c', 'd', 'e'], 'a; b; c; and 2 more jobs changed'],
  ])('says %j in one sentence', (news, sentence) => {
    expect(newsSentence(news, 'jobs')).toBe(sentence)
  })
})
