#!lua flags=allow-oom
-- Ends the halt of a live board, and deletes the other keys.
-- KEYS: meta, keys to delete ...  ARGV: the state of the halt, the new state
-- Returns {'done'}, or nothing and changes nothing if another process has halted it meanwhile.
if redis.call('HGET', KEYS[1], 'state') ~= ARGV[1] then
  return {}
end
for key = 2, #KEYS do
  redis.call('UNLINK', KEYS[key])
end
redis.call('HSET', KEYS[1], 'state', ARGV[2])
return {'done'}
