// SPDX-License-Identifier: GPL-3.0-or-later
// Checks what was signed with what comes with Node: a line of JSON {"token", "key"?} each; answers a line with its header and
// claims, or with null if it isn't signed by the key, which is a public one (RFC 7517) or PEM, or the one in the token.
import { createPublicKey, verify } from 'node:crypto'
import { createInterface } from 'node:readline'

const read = part => JSON.parse(Buffer.from(part, 'base64url').toString())

function check ({ token, key }) {
  const [first, second, third, ...more] = token.split('.')
  const header = read(first)
  const public_ = createPublicKey(typeof key === 'string' ? key : { key: key ?? header.jwk, format: 'jwk' })
  const kind = { ES256: 'ec', RS256: 'rsa' }[header.alg]
  const good = more.length === 0 && public_.asymmetricKeyType === kind && verify('sha256', Buffer.from(`${first}.${second}`),
    { key: public_, dsaEncoding: 'ieee-p1363' }, Buffer.from(third, 'base64url'))
  return good ? { header, claims: read(second) } : null
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(check(JSON.parse(line))))
