-- Releases a claim, if it is still the caller's.
-- KEYS: stored response  ARGV: owner of the claim
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then
  redis.call('UNLINK', KEYS[1])
end
return {}
