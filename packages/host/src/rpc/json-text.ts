/** A result that is JSON text already: large payloads are not parsed into the answer and written again. */
export class JsonText {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}
