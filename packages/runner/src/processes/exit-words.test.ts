import { expect, it } from 'vitest'
import { exitWords } from './exit-words.ts'

it.each<[unknown, unknown, RegExp | undefined]>([
  [126, null, /could not run/],
  [127, null, /did not find a command/],
  [137, 'SIGKILL', /killed \(SIGKILL\)/],
  [139, 'SIGSEGV', /crashed \(SIGSEGV\)/],
  [null, 'SIGABRT', /gave up/],
  [null, 'SIGUSR1', undefined],
  [1, null, undefined],
  [undefined, undefined, undefined],
])('code %j and signal %j', (code, signal, says) => {
  const words = exitWords(code, signal)
  if (says === undefined) expect(words).toBeUndefined()
  else expect(words).toMatch(says)
})
