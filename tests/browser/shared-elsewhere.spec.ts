import { createServer } from 'node:http'
import { project } from '#contract/sections/project.ts'
import { expect } from '#tests/support/browser.ts'
import { test } from '#tests/support/device.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'
import { ownerTab } from '#tests/support/queue.ts'

const underPolicy = (policy: string) => (form: string) =>
  `<meta name="referrer" content="${policy}">${form}`

/** Pages of another site: one that says where it is, those that keep it to themselves, and frames that are nowhere. */
const pages: Readonly<Record<string, (form: string) => string>> = {
  'a page': underPolicy('strict-origin-when-cross-origin'),
  'a page that leaves its address out': underPolicy('no-referrer'),
  'a page that keeps its address to itself': underPolicy('same-origin'),
  'a frame that is shut in': (form) =>
    `<iframe sandbox="allow-forms allow-top-navigation" srcdoc='${form}'></iframe>`,
  'a frame made of its address': (form) =>
    `<iframe src="data:text/html,${encodeURIComponent(form)}"></iframe>`,
  'a frame made by a script': (form) =>
    `<iframe></iframe><script>document.querySelector('iframe').src = URL.createObjectURL(new Blob([${JSON.stringify(form)}], { type: 'text/html' }))</script>`,
}

test('what pages of another site post does not reach the owner’s form', async ({
  device,
  site,
}) => {
  const tab = await ownerTab(device, { site, path: '/' })
  for (const [name, page] of Object.entries(pages))
    await test.step(name, async () => {
      const html =
        page(`<form target="_top" action="${site.url}/share" method="post" enctype="multipart/form-data">
    <input name="title" value="De otro sitio"><button>Enviar</button></form>`)
      const elsewhere = createServer((_, res) => {
        res.writeHead(200, { 'content-type': 'text/html' }).end(html)
      })
      const port = await listenOnLoopback(elsewhere)
      await tab.goto(`http://127.0.0.1:${port}/`)
      const isFramed = html.startsWith('<iframe')
      const sender = isFramed ? tab.frameLocator('iframe') : tab
      await sender.getByRole('button', { name: 'Enviar' }).click()
      await expect(tab).toHaveURL(/\/addProj\?compartido=1$/)
      const title = tab.getByRole('textbox', { name: project.fields.name.label })
      await expect(title).toBeVisible()
      await expect(title).toHaveValue('')
      elsewhere.close()
    })
})
