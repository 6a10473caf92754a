/**
 * What a test host says about a test: something that it was given is wrong, something was left open, or a fault never
 * struck. `hint` says what to do about it.
 *
 * @example
 * ```ts
 * await expect(host.openWindow({ view: 'nope' })).rejects.toThrow('the manifest has no view "nope"')
 * ```
 */
export class TestHostError extends Error {
  /** Always `TestHostError`. */
  override readonly name = 'TestHostError'
  /** What to do about it: the last line of the message. */
  readonly hint: string

  /** Test runners show the message alone, so that it has the hint too, on a line of its own. */
  constructor(sentence: string, hint: string, options?: ErrorOptions) {
    super(`${sentence}\n${hint}`, options)
    this.hint = hint
  }
}
