import createClient from 'openapi-fetch'
import type { paths } from './schema'

const [baseUrl, key, board, member, action, id] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
const { data, error } = await client.POST('/api/v1/events', { body: { id, member, action, board } })
if (error) throw new Error(JSON.stringify(error))
console.log(JSON.stringify(data))
