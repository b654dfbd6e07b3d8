import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type UploadedImage } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { project } from '#contract/sections/project.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { fill } from '#contract/text.ts'
import { linkMinutes } from '#server/access/one-time-link.ts'
import { freePort } from '#tests/support/free-port.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { openSite } from '#tests/support/site.ts'
import { startServer } from '#tests/support/server-process.ts'

// Each test starts a process or two, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-server-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a start without an owner prints where the site is and how to own it', async () => {
  const server = await startServer({ DATA_DIR: dataFolder() })
  onTestFinished(() => void server.stop('SIGKILL'))
  expect(server.logs()).toContain(fill(cliTexts.listening, { address: server.url }))
  expect(server.logs()).toMatch(/\/configurar#[\w-]{43}\n/)
})

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s finishes the answer under way, closes the database and ends with 0',
  async (signal) => {
    const server = await startServer({ DATA_DIR: dataFolder() })
    onTestFinished(() => void server.stop('SIGKILL'))
    const body = JSON.stringify({ name: 'Ana', email: 'ana@example.com', message: 'Hola' })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(
      [
        'POST /api/contact HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
        '\r\n',
      ].join('\r\n'),
    )
    // The interim answer says that the call is under way.
    const [interim] = (await once(socket, 'data')) as [Buffer]
    expect(interim.toString()).toMatch(/^HTTP\/1\.1 100 /)
    const stopped = server.stop(signal)
    await expect.poll(() => isRefused(server.url), { timeout: 20_000 }).toBe(true)
    socket.write(body)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 /)
    expect(await stopped).toBe(0)
  },
)

test('a port in use is said in one sentence, and the program ends with 1', async () => {
  const server = await startServer({ DATA_DIR: dataFolder() })
  onTestFinished(() => void server.stop('SIGKILL'))
  const { port } = new URL(server.url)
  const second = startServer({ DATA_DIR: dataFolder(), PORT: port })
  await expect(second).rejects.toThrow(
    `(1) before it listened.\n${fill(cliTexts.portTaken, { port })}`,
  )
})

test('with port 0 it says which one the system gave, and its links lead there', async () => {
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataFolder(), HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await expect.poll(() => said, { timeout: 20_000 }).toMatch(/\/configurar#.*\n$/)
  const [address = ''] = /http:\/\/localhost:[1-9]\d*/.exec(said) ?? []
  expect(said.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([
    fill(cliTexts.listening, { address }),
    fill(cliTexts.setup, { minutes: linkMinutes.setup }),
    expect.stringMatching(new RegExp(`^${address}/configurar#[\\w-]{43}$`)),
  ])
  expect((await fetch(address)).status).toBe(200)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('a configuration that cannot be used is explained', async () => {
  const started = startServer({ DATA_DIR: dataFolder(), TRUST_PROXY: 'yes' })
  await expect(started).rejects.toThrow(/TRUST_PROXY/)
})

async function isRefused(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  )
}

/** Starts the server with its output where the test wants it; resolves once it answers. */
async function startWritingTo(
  stdio: 'pipe' | number,
): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataFolder(),
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    stdio: ['ignore', stdio, stdio],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await expect.poll(() => isRefused(url), { timeout: 20_000 }).toBe(false)
  return { child, url }
}

/** Has the server write lines of its log, and says whether it still answers. */
async function answersAfterLines(url: string): Promise<number> {
  const login = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"userName":"a@b.es","password":"x"}',
  }
  for (let count = 0; count < 3; count++) await fetch(`${url}/api/${ownerCalls.login}`, login)
  return (await fetch(url)).status
}

test('a log that nobody reads any more does not end the site', async () => {
  const { child, url } = await startWritingTo('pipe')
  child.stdout?.destroy()
  child.stderr?.destroy()
  expect(await answersAfterLines(url)).toBe(200)
  expect(child.exitCode).toBe(null)
})

test.skipIf(!existsSync('/dev/full'))(
  'a log whose disk is full does not end the site',
  async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const { child, url } = await startWritingTo(full)
    expect(await answersAfterLines(url)).toBe(200)
    expect(child.exitCode).toBe(null)
  },
)

test('a line about a picture names the request that it was written for', async () => {
  const site = await openSite()
  onTestFinished(() => site.close())
  const { token } = await site.signIn()
  const name = 'New/project_1'
  const { buffer, mimeType } = await colourSquare('#3a7')
  const put = await fetch(
    `${site.url}/api/${ownerCalls.image}/${project.images.type}?name=${name}`,
    {
      method: 'PUT',
      headers: { authorization: `Bearer${String(token)}`, 'content-type': mimeType },
      body: new Uint8Array(buffer),
    },
  )
  const { url } = (await put.json()) as UploadedImage
  rmSync(join(site.dataDir, url))
  const { status, headers } = await fetch(site.url + url)
  expect(status).toBe(503)
  await expect.poll(() => site.logs()).toContain('picture-missing')
  const line = site
    .logs()
    .split('\n')
    .find((each) => each.includes('picture-missing'))
  expect(JSON.parse(line ?? '')).toMatchObject({ requestId: headers.get('x-request-id') })
})
