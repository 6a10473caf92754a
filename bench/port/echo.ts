/** One way from the frame to the page and back: sends arguments, gets them back. */
export type Echo = (args: unknown) => Promise<unknown>

/** A ready way, under the name of what carries it. */
export type Ways = Readonly<Record<string, Echo>>

/** What the page hands the frame when it greets: one port for each way. */
export const WAYS = ['raw', 'raw twin', 'svc', 'comlink', 'penpal'] as const
