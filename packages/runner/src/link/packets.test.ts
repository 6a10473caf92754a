import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type LinkBounds,
  type LinkHead,
  type LinkReader,
  openLinkReader,
  openLinkWriter,
  type SentMessage,
} from './index.ts'
import { PACKET, packet } from './packet.ts'

/** Small numbers, so that a few bytes are long. */
const bounds: LinkBounds = {
  LINK_PART_BYTES: 64,
  LINK_HEAD_MAX_BYTES: 48,
  LINK_BUFFER_MAX_BYTES: 200,
  LINK_WINDOW_BYTES: 256,
  LINK_MESSAGE_MAX_BYTES: 4_096,
  LINK_HELD_MAX_BYTES: 6_000,
}

/** A pipe that lets packets go when it is told, and tells how much lay in it at most. */
function openPipe() {
  const packets: { readonly bytes: Uint8Array; readonly left: () => void }[] = []
  const pipe = {
    most: 0,
    bufferedAmount: 0,
    send(bytes: Uint8Array, left: () => void) {
      packets.push({ bytes, left })
      pipe.bufferedAmount += bytes.length
      pipe.most = Math.max(pipe.most, pipe.bufferedAmount)
    },
    next(): Uint8Array | undefined {
      const first = packets.shift()
      pipe.bufferedAmount -= first?.bytes.length ?? 0
      first?.left()
      return first?.bytes
    },
  }
  return pipe
}

/** One direction of a link, packet by packet; `room` says what is wanted of a body. */
function openDirection(room: (head: LinkHead) => number | null = () => Infinity) {
  const pipe = openPipe()
  const writer = openLinkWriter(pipe, bounds)
  const heard: { readonly n: number; readonly body: Buffer }[] = []
  const tooLong: number[] = []
  let untold = 0
  const reader: LinkReader = openLinkReader({
    limits: bounds,
    room,
    onMessage: (head, body) => void heard.push({ n: head.n as number, body: Buffer.from(body) }),
    onTooLong: (head) => void tooLong.push(head.n as number),
    onTaken: (bytes) => {
      untold += bytes
    },
    taken: () => false,
  })
  const step = () => {
    const bytes = pipe.next()
    if (bytes) expect(reader.take(bytes)).toBeNull()
    return bytes !== undefined
  }
  const tell = () => {
    expect(writer.taken(untold)).toBe(true)
    untold = 0
  }
  return {
    pipe,
    writer,
    heard,
    tooLong,
    step,
    tell,
    /** Until nothing moves any more. */
    drain() {
      for (let moved = true; moved; ) {
        moved = untold > 0
        tell()
        while (step()) moved = true
      }
    },
  }
}

const bodyOf = (n: number, length: number) => Buffer.alloc(length, n)
const send = (writer: ReturnType<typeof openLinkWriter>, n: number, length: number) =>
  writer.send({ type: 'x', n }, bodyOf(n, length))

describe('messages of any length, in any turns', () => {
  verifies('link.parts', 'come whole and once, whatever moves when', () => {
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), length: fc.nat(900) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), which: fc.nat(30) }) },
      { weight: 8, arbitrary: fc.record({ do: fc.constant('step' as const), times: fc.nat(6) }) },
      { weight: 3, arbitrary: fc.constant({ do: 'tell' as const }) },
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const link = openDirection()
        const lengths: number[] = []
        const sent: (SentMessage | null)[] = []
        const dropped = new Set<number>()
        for (const one of acts) {
          if (one.do === 'send') {
            sent.push(send(link.writer, lengths.length, one.length))
            lengths.push(one.length)
          } else if (one.do === 'drop') {
            if (sent[one.which]?.drop()) dropped.add(one.which)
          } else if (one.do === 'step') for (let time = 0; time < one.times; time++) link.step()
          else link.tell()
        }
        link.drain()
        const wanted = lengths.map((_, n) => n).filter((n) => !dropped.has(n))
        expect(link.heard.map(({ n }) => n).sort((a, b) => a - b)).toEqual(wanted)
        for (const { n, body } of link.heard) expect(body.equals(bodyOf(n, lengths[n] ?? -1))).toBe(true)
        expect(link.pipe.most).toBeLessThanOrEqual(bounds.LINK_BUFFER_MAX_BYTES + bounds.LINK_PART_BYTES + 5)
        expect(link.writer.waitingBytes).toBe(0)
      }),
      { numRuns: rounds(400) },
    )
  })

  verifies('link.turns', 'a small one waits for no long one, and long ones take turns', () => {
    const link = openDirection()
    send(link.writer, 0, 2_000)
    send(link.writer, 1, 2_000)
    for (let count = 0; count < 3; count++) link.step()
    send(link.writer, 2, 10)
    // What lay in the pipe already goes before it: that is bounded.
    for (let count = 0; count < 5; count++) link.step()
    expect(link.heard.map(({ n }) => n)).toEqual([2])
    link.drain()
    expect(link.heard.map(({ n }) => n)).toEqual([2, 0, 1])
  })

  verifies('link.turns', 'a flood of small ones holds up no long one', () => {
    const link = openDirection()
    send(link.writer, 0, 150)
    for (let n = 1; n <= 200; n++) send(link.writer, n, 20)
    link.drain()
    expect(link.heard.findIndex(({ n }) => n === 0)).toBeLessThan(20)
  })

  verifies('link.window', 'no more of parts is under way than the reader took', () => {
    const link = openDirection()
    send(link.writer, 0, 4_000)
    let parts = 0
    while (link.step()) parts += 1
    expect(parts).toBe(bounds.LINK_WINDOW_BYTES / bounds.LINK_PART_BYTES)
    send(link.writer, 1, 10)
    while (link.step());
    expect(link.heard.map(({ n }) => n)).toEqual([1])
    link.drain()
    expect(link.heard).toHaveLength(2)
  })

  it('are not begun where the reader would hold too much, and follow as soon as there is room', () => {
    const link = openDirection()
    for (let n = 0; n < 4; n++) send(link.writer, n, 3_900)
    link.drain()
    expect(link.heard.map(({ n }) => n)).toEqual([0, 1, 2, 3])
  })

  verifies('link.caps', 'over the caps are not sent', () => {
    const { writer } = openDirection()
    expect(send(writer, 0, bounds.LINK_MESSAGE_MAX_BYTES)).toBeNull()
    expect(writer.send({ type: 'x', long: 'x'.repeat(bounds.LINK_HEAD_MAX_BYTES) })).toBeNull()
    const head = JSON.stringify({ type: 'x', n: 0 }).length + 1
    expect(send(writer, 0, bounds.LINK_MESSAGE_MAX_BYTES - head)).not.toBeNull()
  })

  verifies('link.unwanted', 'that nobody wants are let go, and what is too long is told once', () => {
    const link = openDirection(({ n }) => (n === 0 ? null : 100))
    send(link.writer, 0, 500)
    send(link.writer, 1, 500)
    send(link.writer, 2, 100)
    send(link.writer, 3, 5)
    send(link.writer, 0, 5)
    link.drain()
    expect(link.heard.map(({ n }) => n)).toEqual([3, 2])
    expect(link.tooLong).toEqual([1])
  })

  it('are dropped in the midst, and nothing of them stays', () => {
    const link = openDirection()
    const sent = send(link.writer, 0, 3_900)
    link.step()
    expect(sent?.drop()).toBe(true)
    for (let n = 1; n < 4; n++) send(link.writer, n, 3_900)
    link.drain()
    expect(link.heard.map(({ n }) => n)).toEqual([1, 2, 3])
    expect(sent?.drop()).toBe(true)
  })

  it('that have left are not dropped any more', () => {
    const link = openDirection()
    const sent = [send(link.writer, 0, 5), send(link.writer, 1, 500)]
    link.drain()
    expect(sent.map((one) => one?.drop())).toEqual([false, false])
  })
})

describe('what is not a packet of an honest writer', () => {
  const text = (value: string) => new TextEncoder().encode(value)
  const head = text('{"type":"x"}\n')
  const full = (first: Uint8Array) => [first, new Uint8Array(bounds.LINK_PART_BYTES - first.length)]
  const many = Math.ceil(bounds.LINK_HELD_MAX_BYTES / bounds.LINK_PART_BYTES) + 1

  verifies.each('link.malformed')<[string, Uint8Array[]]>([
    ['nothing', [new Uint8Array()]],
    ['four bytes', [new Uint8Array(4)]],
    ['a kind that is none', [packet(9, 0)]],
    ['no line feed', [packet(PACKET.whole, 0, text('{"type":"x"}'))]],
    ['a head that is not JSON', [packet(PACKET.whole, 0, text('{\n'))]],
    ['a head that is not UTF-8', [packet(PACKET.whole, 0, Uint8Array.of(0x22, 0xff, 0x22, 0x0a))]],
    ['a head that is a list', [packet(PACKET.whole, 0, text('[]\n'))]],
    ['a head without a type', [packet(PACKET.whole, 0, text('{}\n'))]],
    ['a head that is null', [packet(PACKET.whole, 0, text('null\n'))]],
    ['a head that is too long', [packet(PACKET.whole, 0, text(`{"type":"x","y":"${'y'.repeat(48)}"}\n`))]],
    ['a packet that is too long', [packet(PACKET.whole, 0, head, new Uint8Array(bounds.LINK_PART_BYTES))]],
    ['a crumb of a part', [packet(PACKET.part, 1, head)]],
    ['a part that is too long', [packet(PACKET.part, 1, ...full(head), Uint8Array.of(0))]],
    ['an end without a beginning', [packet(PACKET.last, 1, head)]],
    [
      'an end that is too long',
      [packet(PACKET.part, 1, ...full(head)), packet(PACKET.last, 1, ...full(head), head)],
    ],
    ['a drop of what did not begin', [packet(PACKET.drop, 1)]],
    ['more taken than was sent', [packet(PACKET.taken, 1)]],
    ['too many at once', Array.from({ length: many }, (_, at) => packet(PACKET.part, at, ...full(head)))],
    [
      'one that is too long',
      Array.from({ length: bounds.LINK_MESSAGE_MAX_BYTES / bounds.LINK_PART_BYTES + 1 }, () =>
        packet(PACKET.part, 1, ...full(head)),
      ),
    ],
    [
      'more than may be held',
      [1, 2].flatMap((n) => Array.from({ length: 60 }, () => packet(PACKET.part, n, ...full(head)))),
    ],
  ])('ends the link: %s', (_name, packets) => {
    const reader = openLinkReader({
      limits: bounds,
      room: () => Infinity,
      onMessage() {},
      onTooLong() {},
      onTaken() {},
      taken: () => false,
    })
    const told = packets.map((bytes) => reader.take(bytes))
    expect(told.at(-1)).toEqual(expect.any(String))
    if (told.length > 1) expect(told[0]).toBeNull()
  })

  verifies(
    'link.held',
    'of a long one the text of its head waits, not what that says, which takes more',
    () => {
      const seen: LinkHead[] = []
      const reader = openLinkReader({
        limits: bounds,
        onTooLong() {},
        onTaken() {},
        taken: () => false,
        room: (one) => seen.push(one) * 1_000,
        onMessage: (one) => void seen.push(one),
      })
      reader.take(packet(PACKET.part, 1, ...full(head)))
      reader.take(packet(PACKET.last, 1, text('!')))
      expect(seen).toEqual([{ type: 'x' }, { type: 'x' }])
      expect(seen[0]).not.toBe(seen[1])
    },
  )

  verifies('link.held', 'who reads nothing is told in one word what was taken', () => {
    const { pipe, writer } = openDirection()
    while (pipe.bufferedAmount < bounds.LINK_BUFFER_MAX_BYTES) send(writer, 0, 40)
    for (let count = 0; count < 100; count++) writer.confirmRead(3)
    const left = Array.from({ length: 20 }, () => pipe.next()).filter((bytes) => bytes !== undefined)
    expect(left.filter(([kind]) => kind === PACKET.taken)).toEqual([packet(PACKET.taken, 300)])
  })

  it('never throws, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 20 }), (packets) => {
        const reader = openLinkReader({
          limits: bounds,
          room: () => 40,
          onMessage() {},
          onTooLong() {},
          onTaken() {},
          taken: () => false,
        })
        for (const bytes of packets) reader.take(bytes)
      }),
    )
  })
})
