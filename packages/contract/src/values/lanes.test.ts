import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { methodRows } from '../methods/index.ts'
import { repeatable, slowMethods } from './lanes.ts'

verifies('design.lanes.agree', 'the slow methods are those that the table marks', () => {
  const marked = methodRows().flatMap(([ns, name, row]) => (row.slow ? [`${ns}.${name}`] : []))
  expect([...slowMethods].sort()).toEqual(marked.sort())
})

verifies('bridge.calls.again', 'names the methods that may be carried out twice', () => {
  const names = methodRows().map(([ns, name]) => `${ns}.${name}`)
  expect(names.filter((name) => repeatable.test(name)).sort()).toEqual([
    'agent.session.attach',
    'agent.session.catalog',
    'agent.session.history',
    'agent.session.list',
    'apps.get',
    'apps.list',
    'chat.read_history',
    'credentials.list',
    'credentials.status',
    'files.list',
    'files.read',
    'files.stat',
    'fs.read',
    'llm.attach',
    'prefs.get',
    'storage.get',
    'storage.list',
    'tools.getJob',
    'tools.list',
    'tools.listJobs',
    'upload.list',
    'window.heartbeat',
    'window.hello',
    'window.ready',
  ])
})
