/** Calls `run` when Enter is pressed in a field: a sandboxed document may have no forms that do it. */
export function onEnter(field: HTMLInputElement, run: () => void): void {
  field.addEventListener('keydown', ({ key, isComposing }) => {
    if (key === 'Enter' && !isComposing) run()
  })
}
