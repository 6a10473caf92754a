/** A tool call failed: the text for the model, and the frame for the app. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly told: { readonly code: string; readonly message: string }

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.told = { code, message }
  }
}
