import type { CallOptions, Client } from '@svc/contract/client'

/** One call by its names. */
export type CallMethod = (
  ns: string,
  method: string,
  args?: unknown,
  options?: CallOptions,
) => Promise<unknown>

/**
 * Makes the typed client: `client.tools.invoke(args, options)` becomes a call of `invoke` in `tools`,
 * `client.agent.session.create(…)` one of `session.create` in `agent`. Names stay what they are; the host
 * says which of them exist. The client is not a thenable, so it can be awaited and returned.
 *
 * @param beside what the client has besides the namespaces.
 */
export function createClient(call: CallMethod, beside?: object): Client {
  // The proxies stand for whatever the method table declares; only the table knows the type.
  return node((name) => createNamespace(call, name), beside) as unknown as Client
}

/** Makes one namespace of the client; `beside` is what it has besides its methods. */
export const createNamespace = (call: CallMethod, ns: string, beside?: object): object =>
  node((method) => branch(call, ns, method), beside)

/** Makes a method of a namespace, with those that go by a longer name beneath it; `run` is what calling it does. */
export function branch(
  call: CallMethod,
  ns: string,
  method: string,
  run: object = (args?: unknown, options?: CallOptions) => call(ns, method, args, options),
): object {
  return node((name) => branch(call, ns, `${method}.${name}`), run)
}

/**
 * Names that the language, a console, a test runner or a view library asks of any object: they are no methods, so
 * that `await svc`, `JSON.stringify(svc)`, `console.log(svc)` and `expect(svc)` call nothing.
 */
const probes = /^(then|toJSON|asymmetricMatch)$|^[^a-z]/

/** A proxy that makes each of its children once; what every object or function has (`bind`, `toString`) stays. */
export function node(make: (name: string) => object, target: object = {}): object {
  const children: Record<string, object> = {}
  return new Proxy(target, {
    get(_, name) {
      // A symbol in words, `Symbol(…)`, is none either.
      const called = String(name)
      if (name in target || probes.test(called)) return target[name as keyof object]
      children[called] ??= make(called)
      return children[called]
    },
  })
}
