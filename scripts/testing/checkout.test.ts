import path from 'node:path'
import { expect, it } from 'vitest'
import { checkoutEnv } from './checkout.ts'

it('keeps the state of svc in the home beside the checkout, and finds its tools first', () => {
  const env = { HOME: '/home/ada', XDG_STATE_HOME: '/elsewhere', NODE_ENV: 'test', PATH: '/bin', LANG: 'C' }
  expect(checkoutEnv(env, { dir: '/tmp/checkout', home: '/tmp/home' })).toEqual({
    HOME: '/tmp/home',
    XDG_STATE_HOME: undefined,
    NODE_ENV: undefined,
    PATH: ['/tmp/checkout/node_modules/.bin', '/tmp/checkout/packages/mcp/node_modules/.bin', '/bin'].join(
      path.delimiter,
    ),
    LANG: 'C',
  })
})
