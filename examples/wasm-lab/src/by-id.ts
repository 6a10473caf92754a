/** The element with this id, which the page surely has; `kind` is its class, such as `HTMLInputElement`. */
export function byId<Kind extends HTMLElement = HTMLElement>(
  id: string,
  kind: new () => Kind = HTMLElement as new () => Kind,
): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${kind.name} with the id ${id}`)
}
