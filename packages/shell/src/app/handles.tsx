import type { PointerEvent } from 'react'
import { type Edge, edges } from '../geometry/resize.ts'
import styles from './handles.module.css'

/** The edges and corners by which a pointer resizes a window; the keyboard does it from the title bar. */
export function Handles({ start }: { start: (event: PointerEvent<HTMLElement>, edge: Edge) => void }) {
  return edges.map((edge) => (
    <div
      aria-hidden="true"
      className={styles.handle}
      data-edge={edge}
      key={edge}
      onPointerDown={(event) => start(event, edge)}
    />
  ))
}
