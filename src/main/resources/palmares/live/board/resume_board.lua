#!lua flags=allow-oom
-- Lets everybody to a live board again that was halted, and forgets the keys besides.
-- KEYS: meta, keys to forget ...  ARGV: the state that it was halted with, the state from now on
-- Answers {'done'}, or nothing and does nothing if somebody else has halted it meanwhile.
if redis.call('HGET', KEYS[1], 'state') ~= ARGV[1] then
  return {}
end
for key = 2, #KEYS do
  redis.call('UNLINK', KEYS[key])
end
redis.call('HSET', KEYS[1], 'state', ARGV[2])
return {'done'}
