/** Names what a document cuts off or leads out of its width, the first few of them. It runs in the document. */
export function cutOff(most: number): string[] {
  const { clientWidth, scrollWidth } = document.documentElement
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const nameOf = (element: Element) => {
    const text = (element.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 40)
    const mark = element.id ? `#${element.id}` : [...element.classList].map((one) => `.${one}`).join('')
    return `${element.localName}${mark}${text ? ` ${JSON.stringify(text)}` : ''}`
  }
  const ownText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
  /** Whether a box around it can be scrolled to it. */
  const isScrolled = (element: Element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true
    return false
  }
  const found: string[] = []
  for (const element of document.body.querySelectorAll('*')) {
    if (found.length >= most) break
    const { left, right, width, height } = element.getBoundingClientRect()
    const isContent =
      ownText(element) || element.matches('button, input, select, textarea, img, svg, canvas, video')
    // What is kept for screen readers alone is one pixel large, or far away.
    if (!isContent || width <= 1 || height <= 1 || right <= 0 || !isShown(element)) continue
    const style = getComputedStyle(element)
    if ((right > clientWidth + 1 || left < -1) && !isScrolled(element))
      found.push(`${nameOf(element)} ends at ${Math.round(right)} of ${clientWidth} pixels`)
    else if (
      ownText(element) &&
      /hidden|clip/.test(style.overflowX) &&
      style.textOverflow !== 'ellipsis' &&
      element.scrollWidth > element.clientWidth + 1
    )
      found.push(`${nameOf(element)} cuts off its text`)
  }
  if (found.length === 0 && scrollWidth > clientWidth + 1)
    found.push(`the page is ${scrollWidth} pixels wide, and scrolls sideways`)
  return found
}
