import type { Socket } from 'node:net'
import type { Limits } from '@svc/contract'
import { type Clock, every } from '@svc/node'
import { LINK_CLOSE, type LinkHead, type LinkMachine, openWire, type Wire } from '@svc/runner/link'
import type { WebSocket } from 'ws'
import type { Owner } from '../kernel/hosts.ts'
import { type ConnectingMachine, type NotAdmitted, noteSeen, noteTokenStored, raiseEpoch } from './admit.ts'
import { readHello, readProof } from './hello.ts'
import type { LinkEnd } from './link-ends.ts'
import type { Links, LiveLink } from './links.ts'
import { openRemoteRunner, type RemoteRunner } from './remote-runner.ts'
import { runners } from './runner-row.ts'
import type { RunnerNeeds } from './services.ts'

/** Counts the messages that nobody asked for: answers to cancelled requests are among them, a flood is not. */
function openStrays({ LINK_STRAYS_MAX: max }: Limits, clock: Clock) {
  let since = clock.now()
  let count = 0
  return {
    /** There is one more. */
    isTooMany(): boolean {
      const now = clock.now()
      if (now - since >= 1_000) {
        since = now
        count = 0
      }
      count += 1
      return count > max
    },
  }
}

const slotsOf = ({ slots }: LinkMachine) => slots && { slots: slots.jobs }

/** What taking a link needs. */
export interface TakeLinkParts extends RunnerNeeds {
  readonly links: Links
  /** This host as it holds links: other hosts can ask it for them. */
  readonly me: () => Promise<Owner>
  /** Notifies the other hosts that a machine has a newer link. */
  readonly announce: (runnerId: string, epoch: number) => Promise<void>
  /** Writes down that a link is over. */
  readonly noteOver: (end: LinkEnd) => Promise<void>
}

const refusals = {
  token: { code: LINK_CLOSE.revoked, reason: 'the token was replaced by a newer one' },
  key: { code: LINK_CLOSE.key, reason: 'the token belongs to the key of another machine' },
  name: { code: LINK_CLOSE.name, reason: 'the machine connected with a host name that is not in origins' },
  proof: { code: LINK_CLOSE.proof, reason: 'the machine did not prove its key' },
} as const satisfies Record<
  NotAdmitted | 'name' | 'proof',
  { readonly code: number; readonly reason: string }
>
const REVOKED = 'the machine was revoked'
const BLOCKED = 'the user of the machine was blocked'
const DISPLACED = 'another connection used the same token'

/**
 * Takes the connection of a machine whose token was judged: it says hello, gets the next epoch by swap, takes the place
 * of the link before it, and is looked after until it ends. Whoever comes later is the machine; of two that race, the
 * store says who that is.
 */
export function takeLink(
  parts: TakeLinkParts,
  socket: WebSocket,
  connection: Socket,
  { bearer, isOwnName, onJudged }: ConnectingMachine,
) {
  const { runnerId, userId } = bearer
  const { clock, limits, links, log } = parts
  const about = { runner: runnerId }
  let remote: RemoteRunner | undefined
  let live: LiveLink | undefined
  let stopPings = () => {}
  let stopChecking = () => {}
  let saidHello = false
  let hasKept = false
  const nonce = parts.newId('nonce')
  let isLeaving = false
  let isOver = false
  let lastSeen: Promise<unknown> = Promise.resolve()
  /** Checks of the link, one after the other: what they write comes before its end. */
  let checked: Promise<void> = Promise.resolve()
  const strays = openStrays(limits, clock)

  const wire: Wire = openWire(socket, connection, {
    clock,
    limits,
    room(head) {
      const isAwaited = head.type === 'hello' ? !saidHello : head.type === 'kept' && live && !hasKept
      const room = isAwaited ? 0 : remote ? remote.room(head) : null
      if (room === null && strays.isTooMany())
        wire.end(LINK_CLOSE.malformed, 'the machine sent more than the host asked for')
      return room
    },
    onMessage(head, body) {
      if (isOver) return
      if (head.type === 'kept') kept()
      else if (remote) remote.take(head, Buffer.from(body.buffer, body.byteOffset, body.length))
      else onHead(head)
      rest()
    },
    onTooLong: (head) => remote?.tooLong(head),
    onEnd({ code, reason }) {
      isOver = true
      stopHello()
      stopPings()
      stopChecking()
      remote?.end(`the link to the runner is lost: ${reason || `closed with ${code}`}`)
      if (!live) return
      links.drop(live)
      log.info({ ...about, epoch: live.link.epoch, code, reason }, 'a runner is offline')
      lastSeen = noteOver(live.link.epoch)
    },
  })
  const stopHello = clock.setTimer(
    () => wire.end(LINK_CLOSE.silent, 'the machine did not say hello'),
    limits.RUNNER_HELLO_MS,
  )

  function onHead(head: LinkHead): void {
    saidHello = true
    const machine = readHello(head, limits)
    const proof = readProof(head, { runnerId, nonce, isOwnName })
    if (typeof machine === 'string') wire.end(LINK_CLOSE.version, machine)
    else if ('wrong' in proof) {
      onJudged?.(false)
      const { code, reason } = refusals[proof.wrong]
      wire.end(code, reason)
    } else
      begin(machine, proof.key).catch((err: unknown) => {
        log.error({ err, ...about }, 'a link could not be started')
        wire.end(LINK_CLOSE.fault, 'the host could not start the link')
      })
  }

  function kept(): void {
    hasKept = true
    if (live)
      noteTokenStored(parts, runnerId, live.link.epoch).catch((err: unknown) =>
        log.warn(
          { err, ...about },
          'the confirmation that a machine has stored its token could not be written',
        ),
      )
  }

  async function begin(machine: LinkMachine, key: string): Promise<void> {
    const nextToken = parts.newId('runnerToken')
    const holder = await parts.me()
    const record = await raiseEpoch(parts, { bearer, key, machine, nextToken, holder })
    const isIn = record !== null && typeof record !== 'string'
    onJudged?.(isIn)
    if (isOver && isIn) lastSeen = noteOver(record.row.epoch)
    if (isOver) return
    if (!record) return wire.end(LINK_CLOSE.revoked, REVOKED)
    if (typeof record === 'string') {
      const { code, reason } = refusals[record]
      log.warn({ ...about, code, reason }, 'a machine was refused')
      return wire.end(code, reason)
    }
    stopHello()
    const { epoch, name } = record.row
    remote = openRemoteRunner({
      clock,
      limits,
      send: wire.send,
      waitingBytes: () => wire.waitingBytes,
    })
    const link = {
      id: runnerId,
      epoch,
      runner: remote.runner,
      since: clock.now(),
      owner: userId,
      ...slotsOf(machine),
    }
    live = { link, userId, count: remote.count, isLeaving: () => isLeaving, end: wire.end }
    const pace = { ping_ms: limits.RUNNER_PING_MS, silent_ms: limits.RUNNER_SILENT_MS }
    const names = { runner_id: runnerId, name, user_id: userId }
    wire.send({ type: 'welcome', ...names, epoch, token: nextToken, ...pace })
    wire.watch(limits.RUNNER_SILENT_MS)
    stopPings = every(limits.RUNNER_PING_MS, clock, () => wire.send({ type: 'ping' }))
    stopChecking = every(limits.RUNNER_SEEN_WRITE_MS, clock, () => void checkLink(epoch))
    const isNewest = links.put(live, (older) => older.end(LINK_CLOSE.displaced, DISPLACED))
    if (!isNewest) return wire.end(LINK_CLOSE.displaced, DISPLACED)
    log.info({ ...about, epoch, platform: machine.platform, node: machine.node }, 'a runner is online')
    void parts.announce(runnerId, epoch)
    // Who revoked or displaced it, or blocked its user, between the write and this found no link to end.
    await checkLink(epoch)
  }

  function checkLink(epoch: number): Promise<void> {
    checked = checked.then(() => lookAfter(epoch))
    return checked
  }

  /** Looks whether the link is still the machine's, and writes down that this host saw it. */
  async function lookAfter(epoch: number): Promise<void> {
    try {
      if (!(await parts.users.active(userId))) return wire.end(LINK_CLOSE.revoked, BLOCKED)
      if (isOver || (await noteSeen(parts, runnerId, { epoch, holder: await parts.me() }))) return
      if (await parts.store.get(runners, runnerId)) wire.end(LINK_CLOSE.displaced, DISPLACED)
      else wire.end(LINK_CLOSE.revoked, REVOKED)
    } catch (err) {
      log.warn({ err, ...about }, 'the time at which a runner was last seen could not be written')
    }
  }

  async function noteOver(epoch: number): Promise<void> {
    await checked
    await parts.noteOver({ userId, runnerId, epoch })
  }

  function rest(): void {
    if (isLeaving && !remote?.count('call')) wire.end(LINK_CLOSE.leaving, 'the host is closing')
  }

  wire.send({ type: 'challenge', runner_id: runnerId, nonce })
  return {
    userId,
    /** Ends it with the last call under way; jobs do not keep it. */
    drain() {
      isLeaving = true
      rest()
    },
    /** Ends it at once. */
    end: wire.end,
    /** Looks whether it is still the machine's, and writes down who holds it. */
    async check(): Promise<void> {
      if (live) await checkLink(live.link.epoch)
    },
    /** Resolves when the connection is gone and the store knows it. */
    gone: wire.gone.then(() => lastSeen).then(() => {}),
  }
}

/** A connection that was let in, from its hello to its end. */
export type TakenLink = ReturnType<typeof takeLink>
