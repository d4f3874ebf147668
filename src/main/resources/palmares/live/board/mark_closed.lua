#!lua flags=allow-oom
-- Marks on a live board how far PostgreSQL has committed its closing. Does nothing if there is no
-- such board. Idempotent.
-- KEYS: meta  ARGV: 'sealed' or 'settled'
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HSET', KEYS[1], 'closed', ARGV[1])
end
return {}
