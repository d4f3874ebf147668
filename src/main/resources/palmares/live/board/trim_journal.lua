#!lua flags=allow-oom
-- Trims a journal up to an entry that PostgreSQL has. The entry's id contains the microsecond of
-- its writing: after Redis went back in time, the number has another id or none.
-- KEYS: journal, meta
-- ARGV: id of the last entry that PostgreSQL has, its last event, the number of that event
-- Returns {'trimmed'}, or nothing and changes nothing if the journal does not hold that entry.
local last = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])[1]
if not last or string.sub('\30' .. last[2][2], -#ARGV[2] - 1) ~= '\30' .. ARGV[2] then
  return {}
end
redis.call('XTRIM', KEYS[1], 'MINID', ARGV[3] + 1 .. '-0')
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HSET', KEYS[2], 'drained', ARGV[3])
end
return {'trimmed'}
