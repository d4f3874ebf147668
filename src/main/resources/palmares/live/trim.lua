#!lua flags=allow-oom
-- Forgets a journal's entries up to one that PostgreSQL has. An entry's id holds the microsecond at
-- which Redis wrote it: a Redis that went back in time has others under the same numbers, or none.
-- KEYS: journal  ARGV: id of the last entry that PostgreSQL has, its text, the least id to keep
-- Answers {'trimmed'}, or nothing and forgets nothing if the journal does not hold that entry.
local last = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])[1]
if not last or last[2][2] ~= ARGV[2] then
  return {}
end
redis.call('XTRIM', KEYS[1], 'MINID', ARGV[3])
return {'trimmed'}
