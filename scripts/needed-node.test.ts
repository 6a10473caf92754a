import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { neededNode } from './needed-node.ts'

const begun = (versions: object | undefined) => () =>
  runInNewContext(neededNode('>=22.19'), versions && { process: { versions } })

it.each([['22.19.0'], ['22.20.1'], ['24.0.0'], ['100.1.0']])('Node %s is new enough', (node) => {
  expect(begun({ node })).not.toThrow()
})

it.each([['20.20.2'], ['22.18.9'], ['22.9.0'], ['9.11.2']])('Node %s is too old', (node) => {
  expect(begun({ node })).toThrow(`svc: Node 22.19 or newer is needed, this is ${node}`)
})

it.each([[undefined], [{}]])('what is no Node is left alone: %o', (versions) => {
  expect(begun(versions)).not.toThrow()
})

it('takes only a range with a lowest version', () => {
  expect(() => neededNode('^22')).toThrow('engines.node must be such as ">=22.19", got "^22"')
})
