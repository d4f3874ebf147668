// A client of Palmares; needs only Node 22.18 or newer.
//
//   node palmares.ts http://localhost:8080 KEY send invites ada invite grace
//   node palmares.ts http://localhost:8080 KEY follow invites

export type Event = { id: string; member: string; action: string; subject?: string; board?: string; quantity?: number }
export type Outcome = { id: string; outcome: string; reason?: string }
export type Top = { period: string; state: string; lines: { member: string; points: number; rank: number }[] }

const repeated = new Set([408, 429, 500, 502, 503, 504])
const sleep = (seconds: number) => new Promise((done) => setTimeout(done, 1000 * seconds))

export class Palmares {
  url: string
  key: string

  constructor(url: string, key: string) {
    this.url = url
    this.key = key
  }

  /** Returns the outcome of each event. It may be sent again: its id makes it count once. */
  async send(events: Event[], tries = 10): Promise<Outcome[]> {
    for (let attempt = 1; ; attempt++) {
      // Without an answer the events may have been taken, or not.
      const answer = await this.request('/api/v1/events', events).catch((error) => {
        if (attempt === tries) throw error
      })
      if (answer?.ok) return (await answer.json()) as Outcome[]
      if (answer && (attempt === tries || !repeated.has(answer.status))) throw new Error(await answer.text())
      const pause = Math.random() * Math.min(30, 0.1 * 2 ** attempt) // so that senders spread
      await sleep(Math.max(pause, Number(answer?.headers.get('Retry-After') ?? 0)))
    }
  }

  /** Yields the top of the current period at each change, until the period is sealed. */
  async *follow(board: string, count = 10): AsyncGenerator<Top> {
    for (let period = 'current'; ; await sleep(1)) { // a stream ends after 15 minutes
      const path = `/api/v1/boards/${board}/periods/${period}/stream?count=${count}`
      const stream = await this.request(path).catch(() => undefined)
      if (!stream || repeated.has(stream.status)) continue
      if (!stream.ok) throw new Error(await stream.text())
      try {
        let text = ''
        for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) {
          const lines = (text + part).split('\n')
          text = lines.pop()!
          for (const line of lines.filter((line) => line.startsWith('data:'))) {
            const top = JSON.parse(line.slice(5)) as Top
            period = top.period
            yield top
            if (top.state !== 'open') return
          }
        }
      } catch {} // disconnected
    }
  }

  private request(path: string, body?: unknown): Promise<Response> {
    return fetch(this.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body), signal: AbortSignal.timeout(30_000) } : {})
    })
  }
}

const [url, key, verb, board, member, action, subject] = process.argv.slice(2)
const client = new Palmares(url, key)
if (verb === 'send') {
  const [{ outcome }] = await client.send([{ id: crypto.randomUUID(), board, member, action, subject }])
  console.log(outcome)
} else if (verb === 'follow') {
  for await (const top of client.follow(board))
    console.log(top.lines.map((line) => `${line.member} ${line.points}`).join(', '))
}
