import { spawn } from 'node:child_process'

/**
 * Waits until its stdin ends, which it does with the host however the host ended, and kills whoever carries the mark.
 * A tree that forks may be missed by one look at /proc, so three must find nobody; sixty-four are enough for those
 * who cannot be killed.
 */
const SCRIPT = `
read -r end
none=0 looks=0
while [ $none -lt 3 ] && [ $looks -lt 64 ]; do
  looks=$((looks + 1)) none=$((none + 1))
  for file in $(grep -lsz "^SVC_TREE=$1-" /proc/[0-9]*/environ); do
    pid=\${file#/proc/} none=0
    kill -KILL \${pid%/environ}
  done
  sleep 0.02
done`

/**
 * The process that ends what a killed host leaves behind, where no namespace does. It is a shell of two megabytes in
 * a session of its own that does nothing as long as the host lives.
 *
 * `mark` is the beginning of what all processes of a runner carry (`reap.ts`).
 */
export function openOrphanReaper(mark: string) {
  let close: (() => void) | undefined

  return {
    /** There is something to look after from now on. Twice is harmless; without a shell nothing happens. */
    start(): void {
      if (close) return
      const child = spawn('sh', ['-c', SCRIPT, 'sh', mark], {
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      child.on('error', () => {})
      child.stdin.on('error', () => {})
      child.unref()
      close = () => {
        child.kill('SIGKILL')
        child.stdin.destroy()
      }
    },
    /** Nothing is left to look after. */
    close: () => close?.(),
  }
}
