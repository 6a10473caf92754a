/** A window's frame on the desktop, in CSS pixels from its top left corner; the title bar is part of it. */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** A width and a height, in CSS pixels. */
export interface Size {
  readonly w: number
  readonly h: number
}

/** The smallest and largest frame that a view allows. */
export interface Bounds {
  readonly min: Size
  readonly max: Size
}

/** The parts of a view that say how large its document may be. */
export interface ViewSize {
  readonly min_w: number
  readonly min_h: number
  readonly max_w: number
  readonly max_h: number
}

/** Measures of the desktop, in CSS pixels. */
export const measures = {
  /** What the title bar adds to the height of a document. */
  TITLE_BAR: 40,
  /** What of a title bar always stays within reach when a window is pushed over an edge. */
  KEEP_VISIBLE: 96,
  /** From one new window to the next. */
  CASCADE: 32,
  /** Free room around a new window. */
  MARGIN: 16,
  /** What one press of an arrow key moves or resizes; with Alt, a fine step. */
  KEY_STEP: 16,
  KEY_STEP_FINE: 1,
} as const

/** Whether both are as wide and as high. */
export const isSameSize = (a: Size, b: Size): boolean => a.w === b.w && a.h === b.h

/** The frame around a document of this size. */
export const frameOf = ({ w, h }: Size): Size => ({ w, h: h + measures.TITLE_BAR })

/** The document inside a frame of this size. */
export const documentOf = ({ w, h }: Size): Size => ({ w, h: h - measures.TITLE_BAR })

/** The bounds of a view's frame. */
export const boundsOf = ({ min_w, min_h, max_w, max_h }: ViewSize): Bounds => ({
  min: frameOf({ w: min_w, h: min_h }),
  max: frameOf({ w: max_w, h: max_h }),
})
