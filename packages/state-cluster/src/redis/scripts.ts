import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { isReply } from './failure.ts'

// A journal has two keys. Its head is "tail first bytes life": the numbers of its last and its first item, the bytes of
// those that are kept, and a word of its own, so that a journal that was dropped and made again is known as another. Its
// list has the items, each behind the time and the token of its append.

/** Characters of the time, base 36, at the beginning of an item. */
export const TIME_CHARS = 9
/** Characters of the token after it. */
export const TOKEN_CHARS = 15
const PREFIX_CHARS = TIME_CHARS + TOKEN_CHARS
/** Items that Lua takes as arguments of one command. */
const PUSHED_MAX = 5000
/** Items that one call to `trim` removes at most, so that others have their turn. */
const TRIMMED_MAX = 2000
/** How long a drop is known, in ms, so that it is not done again when its answer was lost. */
const DROP_KNOWN_MS = 60_000

const PARSE = `
local function parse(head)
  if not head then return 0, 1, 0, '' end
  local tail, first, bytes, life = string.match(head, '^(%d+) (%d+) (%d+) (.*)$')
  return tonumber(tail), tonumber(first), tonumber(bytes), life
end`

const HEAD = `${PARSE}
local head = redis.call('GET', KEYS[1])
local tail, first, bytes, life = parse(head)`

/**
 * KEYS: the heads, then the lists, of each append. ARGV, of each: how many follow, seq, token, channel, message (JSON), items.
 * Returns of each `first life`, or the tail as a number where it refuses, or an error. Each command of a script costs as
 * much as all else that it does, so that heads are read, written and told together.
 */
const append = `#!lua
${PARSE}
local count = #KEYS / 2
local read = redis.call('MGET', unpack(KEYS, 1, count))
local heads, written, told = {}, {}, {}
local function append(key, head, at, last)
  local tail, first, bytes, life = parse(head)
  local seq, token, from = tonumber(ARGV[at]), ARGV[at + 1], at + 4
  local size = last - from + 1
  if seq ~= tail + 1 then
    -- The answer to this very append may have been lost.
    local look = math.max(seq, first)
    if look <= tail and look < seq + size then
      local item = redis.call('LINDEX', key, look - first)
      if item and string.sub(item, ${TIME_CHARS + 1}, ${PREFIX_CHARS}) == token then return first .. ' ' .. life end
    end
    return tail
  end
  if size == 0 then return first .. ' ' .. life end
  for part = from, last, ${PUSHED_MAX} do
    redis.call('RPUSH', key, unpack(ARGV, part, math.min(part + ${PUSHED_MAX - 1}, last)))
  end
  for part = from, last do bytes = bytes + #ARGV[part] - ${PREFIX_CHARS} end
  if life == '' then life = token end
  local channel = ARGV[at + 2]
  told[channel] = (told[channel] or '[') .. ARGV[at + 3] .. ','
  return first .. ' ' .. life, (tail + size) .. ' ' .. first .. ' ' .. bytes .. ' ' .. life
end
local answers, at = {}, 1
for nth = 1, count do
  local key, last = KEYS[nth], at + tonumber(ARGV[at])
  -- What is wrong with one journal is said of that one.
  local isDone, answer, head = pcall(append, KEYS[count + nth], heads[key] or read[nth], at + 1, last)
  answers[nth] = isDone and answer or redis.error_reply(type(answer) == 'table' and answer.err or answer)
  if isDone and head then
    if not heads[key] then written[#written + 1] = key end
    heads[key] = head
  end
  at = last + 1
end
if #written > 0 then
  local both = {}
  for nth, key in ipairs(written) do both[2 * nth - 1], both[2 * nth] = key, heads[key] end
  redis.call('MSET', unpack(both))
  for channel, messages in pairs(told) do redis.call('PUBLISH', channel, string.sub(messages, 1, -2) .. ']') end
end
return answers`

/** ARGV: cursor, limit (-1: none), the life that is known (empty: none). Returns tail, first, life, whether it is a reset, items. */
const read = `#!lua flags=no-writes,allow-oom
${HEAD}
local after, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local isOther = ARGV[3] ~= '' and ARGV[3] ~= life and after > 0
local isReset = isOther or after < first - 1 or after > tail
local from = isReset and 0 or after + 1 - first
local items = {}
if limit ~= 0 and from <= tail - first then
  items = redis.call('LRANGE', KEYS[2], from, limit < 0 and -1 or from + limit - 1)
end
return { tail, first, life, isReset and 1 or 0, items }`

/** ARGV: keep, time up to which an item is old, bytes (-1: any). Returns 1 where more is to go. */
const trim = `#!lua flags=allow-oom
${HEAD}
if not head then return 0 end
local keep, oldest, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local gone, may = 0, true
while may and first <= tail and gone < ${TRIMMED_MAX} do
  for _, item in ipairs(redis.call('LRANGE', KEYS[2], gone, gone + 99)) do
    local isOld = tonumber(string.sub(item, 1, ${TIME_CHARS}), 36) <= oldest
    may = (most >= 0 and bytes > most) or (first <= tail - keep and isOld)
    if not may then break end
    bytes, first, gone = bytes - #item + ${PREFIX_CHARS}, first + 1, gone + 1
  end
end
if gone == 0 then return 0 end
redis.call('LTRIM', KEYS[2], gone, -1)
redis.call('SET', KEYS[1], tail .. ' ' .. first .. ' ' .. bytes .. ' ' .. life)
return may and first <= tail and 1 or 0`

/** ARGV: token, channel, message. */
const drop = `#!lua flags=allow-oom
if redis.call('GET', KEYS[3]) == ARGV[1] or redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('SET', KEYS[3], ARGV[1], 'PX', ${DROP_KNOWN_MS})
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1`

const made = (text: string) => ({ text, sha: createHash('sha1').update(text).digest('hex') })

/** The verbs of a journal: each looks and writes in one turn of Redis. */
export const scripts = { append: made(append), read: made(read), trim: made(trim), drop: made(drop) } as const

/** Gives Redis the scripts. */
export async function loadScripts(redis: Redis): Promise<void> {
  await Promise.all(Object.values(scripts).map(({ text }) => redis.script('LOAD', text)))
}

/** Runs a script, with its text where Redis has forgotten it. */
export async function runScript(
  redis: Redis,
  name: keyof typeof scripts,
  keys: number,
  args: readonly (string | number)[],
): Promise<unknown> {
  const { sha, text } = scripts[name]
  try {
    return await redis.call('EVALSHA', sha, keys, ...args)
  } catch (error) {
    if (!(isReply(error) && error.message.startsWith('NOSCRIPT'))) throw error
    return redis.call('EVAL', text, keys, ...args)
  }
}
