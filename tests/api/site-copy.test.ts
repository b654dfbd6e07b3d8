import { setTimeout as wait } from 'node:timers/promises'
import { fromBufferPromise } from 'yauzl'
import { expect, onTestFinished, test } from 'vitest'
import { cvPdfPath } from '#contract/resume/resume-calls.ts'
import { siteCopyCall, siteCopyName } from '#contract/site-copy.ts'
import { createApp } from '#server/api/app.ts'
import { storeAnswer } from '#server/edge/stored-answer.ts'
import { parseTemplate } from '#server/pages/template.ts'
import type { CvPdf } from '#server/resume/cv-pdf.ts'
import { openApp } from '#tests/support/app.ts'
import { pageTemplate } from '#tests/support/page-template.ts'

const sheet = storeAnswer({
  status: 200,
  headers: [],
  body: Buffer.from('a{}'),
  compressible: true,
})

const address = `/api/${siteCopyCall}/${siteCopyName}`

/** A site whose pages lead to the CV where there is one. */
async function openCopied(drawCv: CvPdf) {
  const { services, token, events } = await openApp()
  const template = parseTemplate(
    pageTemplate.replace('</head>', '<link rel="stylesheet" href="/assets/a.css"></head>'),
  )
  const render = async () => ({
    status: 200,
    app: `<a href="${cvPdfPath}">CV</a>`,
    state: '{}',
  })
  const app = createApp(services, {
    copied: {
      drawing: () => ({ template, render }),
      statics: { find: (path) => (path === '/assets/a.css' ? sheet : undefined) },
      drawCv,
    },
  })
  return { app, token, events }
}

/** The copy that the owner downloads, by the names of its files. */
async function download(drawCv: CvPdf) {
  const { app, token, events } = await openCopied(drawCv)
  const response = await app.request(address, { headers: { authorization: `Bearer${token}` } })
  const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()))
  const names = []
  for await (const { fileName } of zip.eachEntry()) names.push(fileName)
  return { names, events }
}

test('a copy has the CV as a file', async () => {
  const { names, events } = await download(async () => Buffer.from('%PDF-'))
  expect(names).toContain('cv.pdf')
  expect(events.filter(({ event }) => String(event).startsWith('copy-'))).toEqual([])
})

test('a CV that cannot be drawn leaves the copy without it, and is told', async () => {
  const { names, events } = await download(() => Promise.reject(new Error('odd letters')))
  expect(names).toEqual(expect.arrayContaining(['index.html', 'cv/index.html', 'resume.json']))
  expect(names).not.toContain('cv.pdf')
  expect(events).toContainEqual({ event: 'copy-without-cv', error: 'Error: odd letters' })
})

test('a copy is refused with what it needs, also at an address that is over', async () => {
  const { app } = await openCopied(async () => Buffer.from('%PDF-'))
  for (const query of ['', `?ticket=${'x'.repeat(43)}`]) {
    const { status, headers } = await app.request(address + query)
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  }
})

test('a copy that nobody waits for any more breaks off and makes room for another', async () => {
  const { app, token } = await openCopied(async () => Buffer.from('%PDF-'))
  const ask = () => app.request(address, { headers: { authorization: `Bearer${token}` } })
  const thrown: unknown[] = []
  const hear = (error: unknown) => void thrown.push(error)
  process.on('uncaughtException', hear)
  onTestFinished(() => void process.off('uncaughtException', hear))
  for (let place = 0; place < 3; place++) {
    const { status, body } = await ask()
    expect(status).toBe(200)
    await body?.cancel()
    await wait(100)
  }
  const { status, body } = await ask()
  const reader = body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await wait(100)
  expect([status, (await ask()).status, thrown]).toEqual([200, 200, []])
})
