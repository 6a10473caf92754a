import { TOKEN_LIFE_MIN_MS } from '@svc/contract/browser'
import { asBridgeError, type BridgeError } from './bridge-error.ts'
import type { Clock } from './clock.ts'

/** A token as the host's routes answer it; `expires_in` in seconds. */
export interface TokenGrant {
  readonly token: string
  readonly expires_in: number
  /** How often pages have attached the window, for the one that does. */
  readonly attached?: number | undefined
}

/** The token of one window, kept alive. */
export interface TokenKeeper {
  /** The token to use now, so that a call leaves in the turn in which it came; `null`: it has run out. */
  current(): string | null
  /** Returns a newer token than one that the host refused, or than the current one: of a renewal under way, or a new one. */
  next(refused?: string): Promise<string>
  /** Renews now; rejects where the host will not. */
  renew(): Promise<string>
  /** Ends it: nothing is asked any more, and who wants a token is told why. */
  stop(why: BridgeError): void
}

/** What a keeper needs. */
export interface TokenParts {
  readonly first: TokenGrant
  readonly renew: () => Promise<TokenGrant>
  readonly clock: Clock
  /** A renewal failed: the window may be gone (`not_found`) or the sign-in (`invalid_token`). */
  readonly onFailure: (error: BridgeError) => void
}

/**
 * Keeps a window's token alive (`wall.token.renewed`): renewed at half its life, one renewal at a time. Beside the
 * timer every use compares wall-clock times, because timers stand still while a laptop sleeps.
 */
export function createTokenKeeper({ first, renew, clock, onFailure }: TokenParts): TokenKeeper {
  let token = ''
  let renewAt = 0
  let expiresAt = 0
  let renewing: Promise<string> | undefined
  let timer: unknown
  /** Why nothing is asked any more: the window is gone, at the host or from the page. */
  let over: BridgeError | undefined

  function accept(grant: TokenGrant, mintedAt: number): string {
    const lifeMs = Math.max(TOKEN_LIFE_MIN_MS, grant.expires_in * 1000)
    token = grant.token
    renewAt = mintedAt + lifeMs / 2
    expiresAt = mintedAt + lifeMs
    clock.clearTimeout(timer)
    if (!over) timer = clock.setTimeout(inBackground, renewAt - clock.now())
    return token
  }

  async function ask(): Promise<string> {
    const askedAt = clock.now()
    try {
      return accept(await renew(), askedAt)
    } catch (error) {
      const failure = asBridgeError(error)
      if (!over) {
        if (failure.code === 'not_found') stop(failure)
        onFailure(failure)
      }
      throw failure
    } finally {
      renewing = undefined
    }
  }

  function stop(why: BridgeError): void {
    over = why
    clock.clearTimeout(timer)
  }

  const once = (): Promise<string> => {
    renewing ??= over ? Promise.reject(over) : ask()
    return renewing
  }
  const inBackground = () => {
    once().catch(() => undefined)
  }

  accept(first, clock.now())

  return {
    current() {
      const now = clock.now()
      if (over || now >= expiresAt) return null
      if (now >= renewAt) inBackground()
      return token
    },
    async next(refused = token) {
      // A renewal that was under way before its caller came may break with what was then, a page that froze over it.
      if (renewing) return renewing.catch(once)
      return refused === token ? once() : token
    },
    renew: once,
    stop,
  }
}
