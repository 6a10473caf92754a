/** Where a walk over JSON text is: what comes next, or is under way. */
export const state = {
  VALUE: 0,
  FIRST_ITEM: 1,
  AFTER_ITEM: 2,
  FIRST_NAME: 3,
  NAME: 4,
  NAME_END: 5,
  AFTER_MEMBER: 6,
  /** All of it has come. */
  DONE: 7,
  TEXT: 8,
  ESCAPE: 9,
  HEX: 10,
  SIGNED: 11,
  ZERO: 12,
  DIGITS: 13,
  POINT: 14,
  DECIMALS: 15,
  EXPONENT: 16,
  POWER_SIGNED: 17,
  POWER: 18,
  /** Past the depth that is looked at: only texts and brackets are told apart. */
  DEEP: 19,
  DEEP_TEXT: 20,
  DEEP_ESCAPE: 21,
  BROKEN: 22,
} as const

/** What a byte has done beside a change of state. */
export const action = {
  FAIL: 64,
  SKIP_WHITE: 65,
  /** A value begins that `begins` names the state of. */
  BEGIN: 66,
  OPEN_LIST: 67,
  OPEN_OBJECT: 68,
  CLOSE: 69,
  BEGIN_NAME: 70,
  END_NAME: 71,
  END_TEXT: 72,
  BACKSLASH: 73,
  SLASH: 74,
  BEGIN_HEX: 75,
  HEX_DIGIT: 76,
  END_LITERAL: 77,
  /** A number has ended before this byte. */
  END_NUMBER: 78,
  DEEPER: 79,
  LESS_DEEP: 80,
} as const

const FIRST_LETTER = 24
const BYTES = 256
const ALL = String.fromCharCode(...Array(BYTES).keys())
const WHITE = ' \t\r\n'
const DIGIT = '0123456789'
const HEX_DIGIT = `${DIGIT}abcdefABCDEF`
const ENDS_NUMBER = `${WHITE},]}`

/** What each byte does in each state: the next state, or an action, which is a number from `action.FAIL` on. */
export const table = new Uint8Array(action.FAIL * BYTES).fill(action.FAIL)
/** The state of a value by its first byte. */
export const begins = new Uint8Array(BYTES)

function on(from: number, bytes: string, then: number): void {
  for (const byte of bytes) table[from * BYTES + byte.charCodeAt(0)] = then
}

for (const from of [state.VALUE, state.FIRST_ITEM]) {
  on(from, `"-${DIGIT}tfn`, action.BEGIN)
  on(from, '[', action.OPEN_LIST)
  on(from, '{', action.OPEN_OBJECT)
}
on(state.FIRST_ITEM, ']', action.CLOSE)
on(state.AFTER_ITEM, ',', state.VALUE)
on(state.AFTER_ITEM, ']', action.CLOSE)
for (const from of [state.FIRST_NAME, state.NAME]) on(from, '"', action.BEGIN_NAME)
on(state.FIRST_NAME, '}', action.CLOSE)
on(state.NAME_END, ':', action.END_NAME)
on(state.AFTER_MEMBER, ',', state.NAME)
on(state.AFTER_MEMBER, '}', action.CLOSE)
for (let from: number = state.VALUE; from <= state.DONE; from++) on(from, WHITE, action.SKIP_WHITE)

on(state.TEXT, '"', action.END_TEXT)
on(state.TEXT, '\\', action.BACKSLASH)
on(state.ESCAPE, '"\\bfnrt', state.TEXT)
on(state.ESCAPE, '/', action.SLASH)
on(state.ESCAPE, 'u', action.BEGIN_HEX)
on(state.HEX, HEX_DIGIT, action.HEX_DIGIT)

on(state.SIGNED, '0', state.ZERO)
on(state.SIGNED, DIGIT.slice(1), state.DIGITS)
on(state.DIGITS, DIGIT, state.DIGITS)
on(state.POINT, DIGIT, state.DECIMALS)
on(state.DECIMALS, DIGIT, state.DECIMALS)
on(state.EXPONENT, '+-', state.POWER_SIGNED)
for (const from of [state.EXPONENT, state.POWER_SIGNED, state.POWER]) on(from, DIGIT, state.POWER)
for (const from of [state.ZERO, state.DIGITS]) on(from, '.', state.POINT)
for (const from of [state.ZERO, state.DIGITS, state.DECIMALS]) on(from, 'eE', state.EXPONENT)

/** The states of a number that may end. */
export const numberEnds: ReadonlySet<number> = new Set([
  state.ZERO,
  state.DIGITS,
  state.DECIMALS,
  state.POWER,
])
for (const from of numberEnds) on(from, ENDS_NUMBER, action.END_NUMBER)

for (const from of [state.DEEP_TEXT, state.DEEP_ESCAPE]) on(from, ALL, state.DEEP_TEXT)
on(state.DEEP, ALL, state.DEEP)
on(state.DEEP, '"', state.DEEP_TEXT)
on(state.DEEP, '[{', action.DEEPER)
on(state.DEEP, ']}', action.LESS_DEEP)
on(state.DEEP_TEXT, '"', state.DEEP)
on(state.DEEP_TEXT, '\\', state.DEEP_ESCAPE)

begins['"'.charCodeAt(0)] = state.TEXT
begins['-'.charCodeAt(0)] = state.SIGNED
begins['0'.charCodeAt(0)] = state.ZERO
for (const digit of DIGIT.slice(1)) begins[digit.charCodeAt(0)] = state.DIGITS
addLiterals()

/** Gives each letter of a literal but its first a state of its own. */
function addLiterals(): void {
  let letter = FIRST_LETTER
  for (const [first, ...more] of ['true', 'false', 'null']) {
    begins[(first as string).charCodeAt(0)] = letter
    for (const [at, next] of more.entries())
      on(letter++, next, at === more.length - 1 ? action.END_LITERAL : letter)
  }
}
