#!lua flags=allow-oom
-- Forgets a journal's entries up to one that PostgreSQL has. An entry's id holds the microsecond at
-- which Redis wrote it: a Redis that went back in time has others under the same numbers, or none.
-- KEYS: journal, meta
-- ARGV: id of the last entry that PostgreSQL has, its last event, the number of that event
-- Answers {'trimmed'}, or nothing and forgets nothing if the journal does not hold that entry.
local last = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])[1]
if not last or string.sub('\30' .. last[2][2], -#ARGV[2] - 1) ~= '\30' .. ARGV[2] then
  return {}
end
redis.call('XTRIM', KEYS[1], 'MINID', ARGV[3] + 1 .. '-0')
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HSET', KEYS[2], 'drained', ARGV[3])
end
return {'trimmed'}
