-- Keeps the answer to a request, for whoever claimed it last.
-- KEYS: answer  ARGV: owner of the claim, status, type, milliseconds that it is kept, body
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'status', ARGV[2], 'type', ARGV[3], 'body', ARGV[5])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return {}
