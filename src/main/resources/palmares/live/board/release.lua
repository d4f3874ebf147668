-- Gives a claim up, for whoever claimed it last.
-- KEYS: answer  ARGV: owner of the claim
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then
  redis.call('UNLINK', KEYS[1])
end
return {}
