import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

/*
 * The least that could give the same answers: node:http with no router, no checks and no headers but those that describe
 * the body, and a prepared statement for each query. Arguments: port, database file, page file, section, id.
 */
const [port, file = '', pageFile = '', section = '', id = ''] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
const list = database.prepare(`select * from ${section} order by position, id`)
const detail = database.prepare(`select * from ${section} where id = ?`)
const page = readFileSync(pageFile)

function json(value: unknown): readonly [type: string, body: Buffer] {
  return ['application/json', Buffer.from(JSON.stringify(value))]
}

const server = createServer((req, res) => {
  if (req.url === '/') {
    res.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Encoding': 'br',
      'Content-Length': page.length,
    })
    return res.end(page)
  }
  const [type, body] = json(req.url === '/list' ? list.all() : detail.get(id))
  res.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length })
  return res.end(body)
})
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`listening on :${port}\n`))
