import { createTools, manifest } from '@svc/conformance/testing/bindings-app'
import { verifies } from '@svc/conformance/verifies'
import { createTestHost } from '@svc/testing'
import { createElement, Suspense, useEffect, useState } from 'react'
import { expect, vi } from 'vitest'
import { useStored, useTool } from './index.ts'
import { mount } from './testing/mount.ts'

interface Gate {
  /** What the component waits for before it renders. */
  waiting: Promise<void> | undefined
  open: () => void
  render: () => void
}

function close(gate: Gate): void {
  gate.waiting = new Promise((resolve) => {
    gate.open = () => {
      gate.waiting = undefined
      resolve()
    }
  })
}

function City({ gate }: { gate: Gate }) {
  const [count, setCount] = useState(0)
  const { value, call } = useTool<{ sky: string }>('weather', 'forecast')
  const note = useStored('note', { initial: 'none' })
  useEffect(() => {
    gate.render = () => setCount(count + 1)
  })
  useEffect(() => void call({ city: 'Rome' }), [call])
  if (gate.waiting) throw gate.waiting
  return `${value?.sky} ${note.state}`
}

verifies(
  'bindings.suspense',
  'a component that suspends calls nothing, and keeps its call when it suspends again',
  async () => {
    const lines: string[] = []
    await using host = await createTestHost({ manifest, tools: createTools({ lines }) })
    await host.openWindow({ document: globalThis })
    const gate: Gate = { waiting: undefined, open() {}, render() {} }
    close(gate)
    const { text } = await mount(
      createElement(Suspense, { fallback: 'waits' }, createElement(City, { gate })),
    )
    // What comes of the host is shown when it comes.
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', undefined)
    await host.clock.settled()
    expect([text(), lines]).toEqual(['waits', []])
    gate.open()
    await expect.poll(text).toBe('clear ready')
    close(gate)
    gate.render()
    await expect.poll(text).toContain('waits')
    gate.open()
    await expect.poll(text).toBe('clear ready')
    expect(lines).toEqual(['forecast Rome'])
  },
)
