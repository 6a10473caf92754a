/** An app that the user may open. */
export interface App {
  readonly app_id: string
  readonly name: string
}

/** Asks the site for the apps of its user. */
export async function listApps(): Promise<readonly App[]> {
  const response = await fetch('/my-apps')
  if (!response.ok) throw new Error(`the list of apps could not be read: ${response.status}`)
  return response.json()
}
