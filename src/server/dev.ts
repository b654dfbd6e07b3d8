import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createVite } from 'vite'
import { createListener } from './edge/listener.ts'
import type { Render } from './pages/document.ts'
import { securityHeaders } from './edge/security-headers.ts'
import { parseTemplate } from './pages/template.ts'
import { serve } from './serve.ts'
import { createSite, type ClientBuild } from './site.ts'

/*
 * The product while it is being written (`npm run dev`): the client comes from its sources through Vite, pages are drawn
 * anew each time and carry no content security policy, since Vite's own scripts stand inside them.
 */

await serve(async (services) => {
  const server = createHttpServer()
  const vite = await createVite({ server: { middlewareMode: { server } } })
  const client: ClientBuild = {
    headers: securityHeaders(services.config),
    statics: { find: () => undefined },
    styles: '',
    formStyles: '',
    keep: false,
    drawing: async () => {
      const html = await vite.transformIndexHtml(
        '/index.html',
        await readFile('index.html', 'utf8'),
      )
      const entry = await vite.ssrLoadModule('/src/client/entry-server.tsx')
      return { template: parseTemplate(html), render: entry['render'] as Render }
    },
  }
  const listener = createListener(createSite(services, client))
  server.on('request', (req, res) => vite.middlewares(req, res, () => listener(req, res)))
  server.on('close', () => void vite.close())
  return server
})
