/** Letters, in lower case, that look like another, which is mostly Latin; also where only their capitals do. */
const rows: readonly (readonly [letter: string, like: string])[] = [
  ['a', 'аα'],
  ['b', 'вβь'],
  ['c', 'сϲ'],
  ['d', 'ԁđð'],
  ['e', 'еεє'],
  ['f', 'ϝ'],
  ['g', 'ցԍ'],
  ['h', 'һнηհћħ'],
  // Also what looks like a capital I.
  ['l', 'i1ıіїιӏłוןا'],
  ['j', 'јϳյ'],
  ['k', 'кκ'],
  ['m', 'мμ'],
  ['n', 'ոռ'],
  ['o', '0оοօøסه'],
  ['p', 'рρ'],
  ['q', 'ԛզ'],
  ['s', 'ѕտ'],
  ['t', 'тτ'],
  ['u', 'սυ'],
  ['v', 'ѵν'],
  ['w', 'ԝωѡ'],
  ['x', 'хχ'],
  ['y', 'уγү'],
  ['z', 'ζ'],
  ['ae', 'æ'],
  ['oe', 'œ'],
  ['3', 'зӡэ'],
  ['6', 'б'],
  ['σ', 'ς'],
  ...[['力', 'カ'] as const, ['口', 'ロ'] as const, ['一', 'ー'] as const, ['二', 'ニ'] as const],
  ...[['工', 'エ'] as const, ['八', 'ハへヘ'] as const, ['夕', 'タ'] as const, ['卜', 'ト'] as const],
]

/** The letter that stands for all that look like it, in lower case. */
export const lookAlikes: ReadonlyMap<string, string> = new Map(
  rows.flatMap(([letter, like]) => [...like].map((one) => [one, letter] as const)),
)
