#!lua flags=allow-oom
-- Marks on a live board how far PostgreSQL has committed its closing. Does nothing if there is no
-- such board. Idempotent.
-- KEYS: meta, or the mark of an adopted board's seal, which names its period
-- ARGV: 'sealed' or 'settled', the period
local period = redis.call('HGET', KEYS[1], 'period') or ARGV[2]
if redis.call('EXISTS', KEYS[1]) == 1 and period == ARGV[2] then
  redis.call('HSET', KEYS[1], 'closed', ARGV[1])
end
return {}
