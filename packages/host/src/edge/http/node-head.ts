import type { IncomingMessage } from 'node:http'
import type { Head } from '../../kernel/request/head.ts'

/** The head of a `node:http` request. A class, because every request makes one: its methods are made once. */
export class NodeHead implements Head {
  readonly #req: IncomingMessage

  constructor(req: IncomingMessage) {
    this.#req = req
  }

  get method(): string {
    return this.#req.method ?? 'GET'
  }

  get url(): string {
    return this.#req.url ?? '/'
  }

  get peer(): string | undefined {
    return this.#req.socket.remoteAddress
  }

  get(name: string): string | undefined {
    const value = this.#req.headers[name]
    return typeof value === 'string' ? value : value?.join(', ')
  }

  request(): Request {
    const headers = Object.keys(this.#req.headers).map((name): [string, string] => [
      name,
      this.get(name) ?? '',
    ])
    const url = `http://${this.get('host') ?? 'localhost'}${this.url}`
    return new Request(url, { method: this.method, headers })
  }
}
