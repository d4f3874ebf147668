-- Stores the response to a request, if the claim is still the caller's.
-- KEYS: stored response  ARGV: owner of the claim, status, content type, TTL in ms, body
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'status', ARGV[2], 'type', ARGV[3], 'body', ARGV[5])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return {}
