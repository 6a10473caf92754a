import { Transform } from 'node:stream'

/** Gives on what has come when it is at least so much, or at the end. */
export function held(bytes = Number.POSITIVE_INFINITY): Transform {
  let pieces: Buffer[] = []
  let size = 0
  const whole = () => {
    const all = Buffer.concat(pieces)
    pieces = []
    size = 0
    return all
  }
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      size += piece.length
      done(null, size < bytes ? undefined : whole())
    },
    flush: (done) => done(null, whole()),
  })
}

/** Ends so many ms after it began. */
export function broken(ms: number): Transform {
  const body = new Transform({ transform: (piece, _encoding, done) => done(null, piece) })
  const timer = setTimeout(() => body.destroy(), ms)
  return body.once('close', () => clearTimeout(timer))
}

/** Gives on pieces of so many bytes. */
export const inPieces = (bytes: number): Transform =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      for (let at = 0; at < piece.length; at += bytes) this.push(piece.subarray(at, at + bytes))
      done()
    },
  })

/** Replaces what stands first in the whole body. */
export function replaced(what: RegExp, by: string): Transform {
  const pieces: Buffer[] = []
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      done()
    },
    flush(done) {
      done(null, Buffer.concat(pieces).toString().replace(what, by))
    },
  })
}
