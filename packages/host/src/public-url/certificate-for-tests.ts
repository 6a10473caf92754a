import { generateKeyPairSync, sign } from 'node:crypto'

/** One element of DER: a tag, the length, and the parts one after the other. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const length =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const time = (text: string) => der(0x18, Buffer.from(text))
const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const nameOf = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))))
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

/** A certificate in PEM, signed by its own key, for names and addresses of version 4 as bytes. */
export function selfSigned(names: readonly string[], addresses: readonly (readonly number[])[] = []) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const alternatives = sequence(
    ...names.map((name) => der(DNS_NAME, Buffer.from(name))),
    ...addresses.map((address) => der(IP_ADDRESS, Buffer.from(address))),
  )
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    nameOf('svc tests'),
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    nameOf('svc tests'),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, alternatives)))),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const text = sequence(content, ECDSA_SHA256, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
