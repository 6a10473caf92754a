import path from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { copyCheckout } from './checkout-for-tests.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('keeps the state of svc in the home beside the checkout', () => {
  vi.stubEnv('XDG_STATE_HOME', '/elsewhere')
  const { dir, env, remove } = copyCheckout()
  try {
    expect(env).toMatchObject({ HOME: path.join(dir, '../home'), XDG_STATE_HOME: undefined })
  } finally {
    remove()
  }
})
