#!lua flags=allow-oom
-- Trims the ids of events that PostgreSQL has, those with the lowest numbers first.
-- KEYS: meta, ids  ARGV: number up to which ids are trimmed before the call, number after the call,
--   id, id, ...
-- Returns {'done'}, or nothing and changes nothing if the board is not open, or another process has
--   trimmed ids meanwhile.
local held = redis.call('HMGET', KEYS[1], 'state', 'forgotten')
if held[1] ~= 'open' or (held[2] or '0') ~= ARGV[1] then
  return {}
end
redis.call('HSET', KEYS[1], 'forgotten', ARGV[2])
if #ARGV > 2 then
  redis.call('HINCRBY', KEYS[1], 'size', 0 - redis.call('HDEL', KEYS[2], unpack(ARGV, 3)))
end
return {'done'}
