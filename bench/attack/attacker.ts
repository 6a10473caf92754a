import { setImmediate as nextTurn } from 'node:timers/promises'
import { attacks } from './rows.ts'
import type { Target } from './target.ts'

/** Attacks until it is killed. Arguments: the name of the attack, the target as JSON. */
const [name = '', target = '{}'] = process.argv.slice(2)
const attack = attacks[name]
if (!attack) throw new Error(`there is no attack ${name}`)
const at = JSON.parse(target) as Target
let count = 0
// A connection that nobody reads keeps no process alive; that the parent is there does.
process.on('disconnect', () => process.exit())
for (let side = 0; side < attack.sides; side += 1) void again()

async function again() {
  for (;;) {
    count += 1
    await attack?.once(at, count)
    await nextTurn()
  }
}
