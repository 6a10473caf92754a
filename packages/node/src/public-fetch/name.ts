/** The host of a URL as a name or address: without the brackets of version 6 and without the dot of the root. */
export const nameOf = (url: URL): string => url.hostname.replace(/^\[|\]$|\.$/g, '')

/** The port that a URL leads to. */
export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
