import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { vectorsIn } from './vectors.ts'

const of = (...items: [index: unknown, embedding: unknown][]) => ({
  object: 'list',
  data: items.map(([index, embedding]) => ({ object: 'embedding', index, embedding })),
})
const base64 = (...numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString('base64')
const two = [
  [1, 0],
  [0, 1],
]

verifies.each('llm.embed')([
  ['in their order', of([0, [1, 0]], [1, [0, 1]]), two],
  ['in another order', of([1, [0, 1]], [0, [1, 0]]), two],
  ['with an index that is a text', of(['1', [0, 1]], ['0', [1, 0]]), two],
  ['without an index', of([undefined, [1, 0]], [undefined, [0, 1]]), two],
  ['with an index that is null', of([null, [1, 0]], [null, [0, 1]]), two],
  ['in base64', of([1, base64(0, 1)], [0, base64(1, 0)]), two],
  ['in lists of one', of([0, [[1, 0]]], [1, [[0, 1]]]), two],
  ['of llama.cpp itself', of([0, [[1, 0]]], [1, [[0, 1]]]).data, two],
  ['of a server that says nothing else', two, two],
  ['of Ollama itself', { embeddings: two }, two],
  ['with half of the indexes', of([0, [1, 0]], [undefined, [0, 1]]), null],
  ['with an index twice', of([0, [1, 0]], [0, [0, 1]]), null],
  ['with an index too high', of([0, [1, 0]], [2, [0, 1]]), null],
  ['one too few', of([0, [1, 0]]), null],
  ['one too many', of([0, [1, 0]], [1, [0, 1]], [2, [1, 1]]), null],
  ['an empty one', of([0, []], [1, [0, 1]]), null],
  ['with what is no number', of([0, [1, null]], [1, [0, 1]]), null],
  ['that are not base64 of floats', of([0, 'abc'], [1, base64(0, 1)]), null],
  ['that are not there', { object: 'list' }, null],
  ['that are a page', undefined, null],
])('vectors %s', (_name, answer, vectors) => {
  expect(vectorsIn(answer, 2)).toEqual(vectors)
})
