import { atPort } from '@svc/conformance/testing/host'
/** `fetch` as a page has it, on a network that breaks off each answer after some bytes, until it is mended. */
export function brokenFetch(cookie: string, random: () => number) {
  const network = { cuts: 0, mended: false }
  const cutting: typeof fetch = async (url, init = {}) => {
    const headers = { ...init.headers, cookie: atPort(cookie, new URL(String(url))) }
    const response = await fetch(url, { ...init, headers })
    let left = Math.floor(random() * 4_000)
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        controller.enqueue(network.mended ? bytes : bytes.slice(0, left))
        left -= bytes.length
        if (left > 0 || network.mended) return
        network.cuts++
        controller.error(new TypeError('the network is away'))
      },
    })
    return new Response(response.body?.pipeThrough(cut), response)
  }
  return { network, fetch: cutting }
}
