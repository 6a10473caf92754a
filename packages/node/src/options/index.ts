export { address, clock, port, url } from './common.ts'
export { judgeOptions, OptionError, optionProblem } from './judge.ts'
export {
  all,
  between,
  flag,
  fn,
  having,
  holding,
  list,
  object,
  oneOf,
  orNull,
  type Rule,
  type Rules,
  record,
  secret,
  text,
  textThat,
  whole,
} from './rules.ts'
export { serverRules, serversRule } from './servers.ts'
export { kindOf, shown } from './shown.ts'
