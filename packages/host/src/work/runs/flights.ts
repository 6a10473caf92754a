/** Acceptances that are under way in this process: equal calls share one. */
export interface Flights<T> {
  /** Does `work`, or waits for the one of the same key and fingerprint that is under way. */
  share(key: string, fingerprint: string, work: () => Promise<T>): Promise<T>
}

/** Opens them. */
export function openFlights<T>(): Flights<T> {
  const flying = new Map<string, { readonly fingerprint: string; readonly landing: Promise<T> }>()
  return {
    async share(key, fingerprint, work) {
      for (let known = flying.get(key); known; known = flying.get(key)) {
        if (known.fingerprint === fingerprint) return known.landing
        await known.landing.catch(() => {})
      }
      const landing = work().finally(() => flying.delete(key))
      flying.set(key, { fingerprint, landing })
      return landing
    },
  }
}
