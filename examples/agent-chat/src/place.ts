import { isHostRpcError, svc } from '@svc/sdk'

/** Where a window is: its session, and the run that it asked for last. */
export interface Place {
  readonly session: string
  readonly run: { readonly id: string; readonly text: string } | null
}

/** A session lives no longer than a day. */
const KEPT_S = 86_400

/** A key for each window: where storage is shared by the windows of an app, each has its own chat all the same. */
const keyOf = async () => `place/${(await svc.ready).window_uuid}`

/** Where this window was, before its document was loaded; `null` where no chat has begun. */
export async function readPlace(): Promise<Place | null> {
  try {
    const { value } = await svc.storage.get({ key: await keyOf() })
    return value as Place | null
  } catch (error) {
    if (isHostRpcError(error) && error.code === 'not_found') return null
    throw error
  }
}

/** Keeps where this window is. Done before a run is asked for: a reload in between finds it. */
export async function keepPlace(place: Place | null): Promise<void> {
  await svc.storage.set({ key: await keyOf(), value: place, ttl_seconds: KEPT_S })
}
