import styles from './app-mark.module.css'

const DEGREES = 360
/** Any number will do; this one gives the names of the examples colours far apart. */
const SEED = 7
/** Spreads neighbouring numbers as far round the circle as can be. */
const GOLDEN_ANGLE = 137.508

/** A hue by name: the same app has the same colour everywhere. */
function hueOf(name: string): number {
  let hash = SEED
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 65_521
  return Math.round(hash * GOLDEN_ANGLE) % DEGREES
}

/** The sign of an app: its first letter on its own colour. Decoration; its name is always beside it. */
export function AppMark({ slug, name, small = false }: { slug: string; name: string; small?: boolean }) {
  const [first = '•'] = name
  return (
    <span
      aria-hidden="true"
      className={styles.mark}
      data-small={small || undefined}
      style={{ '--hue': hueOf(slug) } as React.CSSProperties}
    >
      {first.toUpperCase()}
    </span>
  )
}
