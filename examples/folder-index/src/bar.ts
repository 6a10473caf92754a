import type { Progress } from '../plugin/report.ts'
import { formatCount, formatShare, formatTime } from './format.ts'
import { make } from './make.ts'
import { timeLeft } from './time-left.ts'

/** A bar with what stands under it. */
export interface Bar {
  readonly element: HTMLElement
  /** Shows how far the job is. */
  tell(progress: Progress): void
}

/** Makes a bar; until it is told something it only says that the job has not begun. */
export function createBar(name: string): Bar {
  const fill = make('div', { className: 'fill' })
  const track = make('div', { className: 'bar', role: 'progressbar', ariaLabel: `Index of ${name}` }, fill)
  const share = make('strong', { className: 'percent' })
  const stage = make('span', {}, 'waits to begin')
  const left = make('span', { className: 'left' })
  track.ariaValueMin = '0'
  track.ariaValueMax = '100'
  const element = make(
    'div',
    { className: 'progress' },
    track,
    make('p', { className: 'soft' }, share, stage, left),
  )

  return {
    element,
    tell(progress) {
      const locale = document.documentElement.lang
      const text = `${progress.stage}: ${formatCount(progress.done, locale)} of ${formatCount(progress.of, locale)}`
      const ms = timeLeft(progress)
      const rest = ms === null ? '' : `about ${formatTime(ms)} left`
      fill.style.setProperty('--share', String(progress.share))
      share.textContent = formatShare(progress.share, locale)
      stage.textContent = text
      stage.title = progress.file
      left.textContent = rest
      track.ariaValueNow = String(Math.floor(progress.share * 100))
      track.ariaValueText = [share.textContent, text, rest].filter((part) => part !== '').join(', ')
    },
  }
}
